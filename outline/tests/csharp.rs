//! Sections of C#: properties, code at the top level, extension members, conditions in the middle of declarations.

#![cfg(not(target_arch = "wasm32"))]

mod support;

use support::check;

#[test]
fn properties_indexers_and_events() {
    let content = "public record P(int X) { public int Doubled => X * 2; }
class C : IFoo
{
    private int size, count;
    [JsonProperty]
    public required string Name { get; init; } = \"\";
    public int this[int i] { get { return i; } }
    object IList.this[int i] => i;
    int IFoo.Bar { get; set; }
    public event EventHandler Plain, Other;
    public event EventHandler Kept { add { } remove { } }
    public void Read() { int Local() => 1; }
}
interface IFoo
{
    int Bar { get; }
}
";
    let expected = [
        "struct P",
        "  variable Doubled",
        "class C",
        "  variable Name",
        "  function this",
        "  function this",
        "  variable Bar",
        "  variable Plain",
        "  variable Other",
        "  variable Kept",
        "  function Read",
        "interface IFoo",
        "  variable Bar",
    ];
    check("csharp", content, &expected);
}

#[test]
fn functions_at_the_top_level() {
    let content = "using System;
var size = Twice(3);
Console.WriteLine(size);
static int Twice(int n)
{
    int Inner() => n;
    return n * 2;
}
class C { }
";
    check("csharp", content, &["function Twice", "class C"]);
}

#[test]
fn conditions_in_the_middle_of_a_declaration() {
    let content = "public interface ISource<out T> : ISource
#if !UNITY
    , IOther<T>
#endif
{
    void Get();
}
class Choices
{
#if NEW
    public IList<int> All
#else
    public IList All
#endif
    {
        get { return all; }
    }

    public static bool IsOn()
#if ANDROID
        => Settings.Path == Single;
#else
        => Settings.Path == Instancing;
#endif

    public void Run()
#if ANDROID
    {
        Start();
    }
#else
    {
        Other();
    }
#endif

#if LIBRARY
    class ThereOnly
#else
    class Here
#endif
    {
    }

#if !MOBILE
    static extern IntPtr /*(Status*)*/ Append(IntPtr /*(Options*) */ options);
#endif

    public void Last() { }
}
";
    let expected = [
        "interface ISource",
        "  function Get",
        "class Choices",
        "  variable All",
        "  function IsOn",
        "  function Run",
        "  class Here",
        "  function Append",
        "  function Last",
    ];
    check("csharp", content, &expected);
}

#[test]
fn extension_members_are_those_of_their_class() {
    let content = "static class Extensions
{
    extension(string text)
    {
        public bool IsEmpty => text.Length == 0;
        public void Clear() { if (text?.Next is { } next) { next?.Count = 0; } }
    }
    extension<T>(IEnumerable<T> source) where T : class { public int Size => 1; }
    static int Plain(this string text) => 1;
    Extensions extension(int a) => null;
}
class After { }
static class Joined { extension(string text) {
    public char Open() => '{';
}
static int Beside() => 1;
}
";
    let expected = [
        "class Extensions",
        "  variable IsEmpty",
        "  function Clear",
        "  variable Size",
        "  function Plain",
        "  function extension",
        "class After",
        "class Joined",
        "  function Open",
        "  function Beside",
    ];
    check("csharp", content, &expected);
}

#[test]
fn finalizers_are_told_from_constructors() {
    let content = "class A {\n  A() {}\n  ~A() {}\n}\n";
    check("csharp", content, &["class A", "  function A", "  function ~A"]);
}
