// Definitions of C# files, by the parser of the Mono compiler: reads paths, prints a line of JSON for each.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using Mono.CSharp;

class Definitions : StructuralVisitor {
  readonly List<string> found = new List<string>();

  void Add(string name, Location at, string rank) {
    found.Add(string.Format("{{\"name\":\"{0}\",\"line\":{1},\"rank\":\"{2}\"}}", name, at.Row, rank));
  }

  void Type(TypeDefinition type) {
    bool isTop = !(type.Parent is TypeDefinition) || type.Parent is ModuleContainer;
    Add(type.MemberName.Name, type.Location, isTop ? "top" : "member");
  }

  void Container(TypeDefinition type) {
    Type(type);
    foreach (MemberCore member in type.Members) Member(member);
    foreach (TypeContainer inner in type.Containers ?? Enumerable.Empty<TypeContainer>()) inner.Accept(this);
  }

  void Member(MemberCore member) {
    bool isCode = member is Method || member is Constructor || member is PropertyBasedMember;
    string name = member is Indexer ? "this" : member.MemberName.Name;
    if (isCode) Add(name, member.Location, "member");
  }

  public override void Visit(Class type) { Container(type); }
  public override void Visit(Struct type) { Container(type); }
  public override void Visit(Interface type) { Container(type); }
  public override void Visit(Mono.CSharp.Enum type) { Type(type); }
  public override void Visit(Mono.CSharp.Delegate type) { Type(type); }

  static string Read(string path) {
    var settings = new CompilerSettings { Unsafe = true, Version = LanguageVersion.Experimental };
    var printer = new StreamReportPrinter(TextWriter.Null);
    var context = new CompilerContext(settings, printer);
    var module = new ModuleContainer(context);
    byte[] bytes = File.ReadAllBytes(path);
    var file = new SourceFile(path, path, 1);
    Location.Reset();
    Location.Initialize(new List<SourceFile> { file });
    var session = new ParserSession();
    var reader = new SeekableStreamReader(new MemoryStream(bytes), Encoding.UTF8);
    var unit = new CompilationSourceFile(module, file);
    var parser = new CSharpParser(reader, unit, session);
    parser.parse();
    if (printer.ErrorsCount > 0) return "null";
    var definitions = new Definitions();
    foreach (TypeContainer type in unit.Containers ?? Enumerable.Empty<TypeContainer>()) type.Accept(definitions);
    return "[" + string.Join(",", definitions.found) + "]";
  }

  static void Main() {
    for (string path = Console.ReadLine(); path != null; path = Console.ReadLine()) {
      string answer;
      try { answer = Read(path); } catch (Exception) { answer = "null"; }
      Console.WriteLine(answer);
    }
  }
}
