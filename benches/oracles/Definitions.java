// Definitions of Java files, by the compiler's own parser: reads paths, prints a line of JSON for each.
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.Trees;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

class Definitions {
    private final CompilationUnitTree unit;
    private final Trees trees;
    private final List<String> found = new ArrayList<>();

    private Definitions(CompilationUnitTree unit, Trees trees) {
        this.unit = unit;
        this.trees = trees;
    }

    private void add(Tree tree, String name, String rank) {
        long start = trees.getSourcePositions().getStartPosition(unit, tree);
        long line = unit.getLineMap().getLineNumber(start);
        found.add("{\"name\":\"" + name + "\",\"line\":" + line + ",\"rank\":\"" + rank + "\"}");
    }

    private void type(ClassTree type, String rank) {
        add(type, type.getSimpleName().toString(), rank);
        for (Tree member : type.getMembers()) {
            if (member instanceof MethodTree method && isWritten(method)) {
                boolean isConstructor = method.getName().contentEquals("<init>");
                String name = isConstructor ? type.getSimpleName().toString() : method.getName().toString();
                add(method, name, isTest(method) ? "test" : "member");
            } else if (member instanceof ClassTree inner) {
                add(inner, inner.getSimpleName().toString(), "member");
            }
        }
    }

    /** Whether a method is in the file: the parser adds constructors of records. */
    private boolean isWritten(MethodTree method) {
        return trees.getSourcePositions().getEndPosition(unit, method) >= 0;
    }

    private static boolean isTest(MethodTree method) {
        return method.getModifiers().getAnnotations().stream().anyMatch(
            annotation -> annotation.getAnnotationType().toString().endsWith("Test"));
    }

    private static String definitions(JavaCompiler compiler, StandardJavaFileManager files, String path) throws Exception {
        DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
        JavacTask task = (JavacTask) compiler.getTask(
            null, files, problems, List.of("-proc:none"), null, files.getJavaFileObjects(path));
        CompilationUnitTree unit = task.parse().iterator().next();
        boolean isBroken = problems.getDiagnostics().stream().anyMatch(
            problem -> problem.getKind() == Diagnostic.Kind.ERROR);
        if (isBroken) {
            return "null";
        }
        Definitions definitions = new Definitions(unit, Trees.instance(task));
        for (Tree type : unit.getTypeDecls()) {
            if (type instanceof ClassTree named) {
                definitions.type(named, "top");
            }
        }
        return "[" + String.join(",", definitions.found) + "]";
    }

    public static void main(String[] arguments) throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
        BufferedReader paths = new BufferedReader(new InputStreamReader(System.in));
        for (String path = paths.readLine(); path != null; path = paths.readLine()) {
            System.out.println(definitions(compiler, files, path));
        }
    }
}
