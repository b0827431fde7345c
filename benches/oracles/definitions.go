// Definitions of Go files, by Go's own parser: reads paths, prints a line of JSON for each.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
)

type definition struct {
	Name string `json:"name"`
	Line int    `json:"line"`
	Rank string `json:"rank"`
}

type finder struct {
	files *token.FileSet
	found []definition
}

func (f *finder) add(name *ast.Ident, rank string) {
	if name.Name != "_" {
		f.found = append(f.found, definition{name.Name, f.files.Position(name.Pos()).Line, rank})
	}
}

func (f *finder) function(declared *ast.FuncDecl) {
	isTest := declared.Recv == nil && strings.HasPrefix(declared.Name.Name, "Test")
	rank := "top"
	if isTest {
		rank = "test"
	}
	f.add(declared.Name, rank)
	if isTest && declared.Body != nil {
		ast.Inspect(declared.Body, f.subtest)
	}
}

// subtest finds t.Run("name", func...).
func (f *finder) subtest(node ast.Node) bool {
	call, isCall := node.(*ast.CallExpr)
	if !isCall || len(call.Args) != 2 {
		return true
	}
	called, isMember := call.Fun.(*ast.SelectorExpr)
	_, isFunction := call.Args[1].(*ast.FuncLit)
	name, isText := call.Args[0].(*ast.BasicLit)
	if isMember && called.Sel.Name == "Run" && isFunction && isText && name.Kind == token.STRING {
		text, _ := strconv.Unquote(name.Value)
		f.found = append(f.found, definition{text, f.files.Position(name.Pos()).Line, "test"})
	}
	return true
}

func (f *finder) general(declared *ast.GenDecl) {
	for _, spec := range declared.Specs {
		named, isType := spec.(*ast.TypeSpec)
		if !isType {
			continue
		}
		f.add(named.Name, "top")
		if holder, isInterface := named.Type.(*ast.InterfaceType); isInterface {
			for _, method := range holder.Methods.List {
				for _, name := range method.Names {
					f.add(name, "member")
				}
			}
		}
	}
}

func definitions(path string) []definition {
	found := finder{token.NewFileSet(), []definition{}}
	file, err := parser.ParseFile(found.files, path, nil, 0)
	if err != nil {
		return nil
	}
	for _, declared := range file.Decls {
		switch declared := declared.(type) {
		case *ast.FuncDecl:
			found.function(declared)
		case *ast.GenDecl:
			found.general(declared)
		}
	}
	return found.found
}

func main() {
	paths := bufio.NewScanner(os.Stdin)
	for paths.Scan() {
		line, _ := json.Marshal(definitions(paths.Text()))
		fmt.Println(string(line))
	}
}
