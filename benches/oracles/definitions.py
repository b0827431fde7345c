# Definitions of Python files, by Python's own parser: reads paths, prints a line of JSON for each.
import ast
import json
import sys
import warnings

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def definition(node, rank):
    begins = "Test" if isinstance(node, ast.ClassDef) else "test_"
    return {"name": node.name, "line": node.lineno, "rank": "test" if node.name.startswith(begins) else rank}


def definitions(body):
    for node in body:
        if isinstance(node, FUNCTIONS + (ast.ClassDef,)):
            yield definition(node, "top")
        if isinstance(node, ast.ClassDef):
            for member in node.body:
                if isinstance(member, FUNCTIONS + (ast.ClassDef,)):
                    yield definition(member, "member")
        elif isinstance(node, (ast.If, ast.Try)):
            yield from definitions(node.body)
            yield from definitions(node.orelse)


warnings.simplefilter("ignore")
for path in sys.stdin.read().splitlines():
    try:
        with open(path, "rb") as file:
            print(json.dumps(list(definitions(ast.parse(file.read()).body))))
    except (SyntaxError, ValueError):
        print("null")
