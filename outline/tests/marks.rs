//! What stands before, behind and around declarations and is no part of them: words of modules, macros and attributes,
//! commands that only name what is there.

#![cfg(not(target_arch = "wasm32"))]

mod support;

use support::check;

#[test]
fn modules_of_cpp() {
    let content = "module;
#include <vector>
export module shapes:points;
import std;
export import :detail;

export namespace shapes {
  struct Point { int x, y; };
  int distance(Point a, Point b);
}
export int area(int w, int h) {
  return w * h;
}
export class Circle {
public:
  double radius() const { return r; }
};
export template <typename T>
concept Shape = requires(T t) { t.area(); };
export using Id = int;
export enum class Kind { A, B };
export {
  int one();
  class Three { void f() {} };
}
export extern \"C\" int linked(int);
module :private;
int hidden() { return 1; }
";
    let expected = [
        "namespace shapes",
        "  struct Point",
        "  function distance",
        "function area",
        "class Circle",
        "  function radius",
        "type Shape",
        "type Id",
        "enum Kind",
        "function one",
        "class Three",
        "  function f",
        "function linked",
        "function hidden",
    ];
    check("cpp", content, &expected);
}

#[test]
fn commands_of_shells_that_only_name_what_is_there() {
    let content = "f() { :; }
export -f f
declare -fx f
typeset -F f
declare -p A
export -n A
export B=1
declare -n ref=B
declare -A MAP=([-f]=1)
";
    check("bash", content, &["function f", "variable B", "variable ref", "variable MAP"]);
}

#[test]
fn marks_behind_names_of_c() {
    let content = "extern int level __THROW;
static struct rec *first UNUSED = 0;
END_DECLS
CHECK_SIZE(1);
int after(void);
";
    for language in ["c", "cpp"] {
        check(language, content, &["variable level", "variable first", "function after"]);
    }
}

#[test]
fn what_stands_around_functions_of_cpp() {
    let content = "typedef unsigned int word __attribute__((__mode__(__SI__)));
class A {
  iterator begin() LIFETIME_BOUND { return tree_.begin(); }
  const_iterator end() const LIFETIME_BOUND {
    return tree_.end();
  }
  void lock() EXCLUSIVE_LOCK(mutex_) {}
  void unlock() UNLOCK();
#ifdef BASIC
  template <typename F = Finalizer,
            typename = std::enable_if_t<is_invocable<F>>>
#endif
  static inline void wrap(int a) {
  }
};
class B {
#define BINARY_OP(name, op) B& name(int x) { return *this; }
  BINARY_OP(IsEqual, ==)
  BINARY_OP(IsOther, !=)
#undef BINARY_OP
  int after();
};
int last();
";
    let expected = [
        "type word",
        "class A",
        "  function begin",
        "  function end",
        "  function lock",
        "  function unlock",
        "  function wrap",
        "class B",
        "  macro BINARY_OP",
        "  function after",
        "function last",
    ];
    check("cpp", content, &expected);
}

#[test]
fn parts_of_declarations_under_a_condition() {
    let content = "
class API Logger
#ifndef SWIG
    : public Base
#endif
{
public:
  Logger();
#ifdef __GNUC__
  __attribute__((always_inline))
#endif
  inline int level() const { return 1; }
  friend int of(Logger const&) { return 2; }
};
enum Method {
  BLEND = 1,
#ifndef SWIG
  FORCE_32_BIT = 2
#endif
};
template <typename Key>
#if HAS_CONCEPTS
    __requires(hash<Key>)
#endif
class Map
#if WITH_MUTEX
    : protected Hashed<Mutex>
#else
    : protected Hashed<Spin>
#endif
{
  void clear();
};
int after();
";
    let expected = [
        "class Logger",
        "  function Logger",
        "  function level",
        "  function of",
        "enum Method",
        "class Map",
        "  function clear",
        "function after",
    ];
    check("cpp", content, &expected);
}

#[test]
fn marks_of_compilers_and_exports() {
    let content = "
class API NO_VTABLE Pattern FINAL : public Object {
public:
  Pattern() CPP_THROW : size_(0) {}
  Pattern& operator=(const Pattern& other) CPP_THROW
  {
  }
  API ~Pattern() override;
  virtual int size() const;
};
template<> __device__ __forceinline__ int cast<int>(float v)
{
  asm(\"cvt %0, %1;\" : \"=r\"(v) : \"f\"(v));
}
INLINE logger::logger(const logger &other)
    : name_(other.name_) {}
INLINE sink<T>::~sink() {}
extern \"C\" API const char* EXPORTED version();
typedef Image* (STDCALL* create)
                (int, int);
CAPI FILE* EXPORT2
open(FILE *f,
     const char *locale);
";
    let expected = [
        "class Pattern",
        "  function Pattern",
        "  function operator=",
        "  function ~Pattern",
        "  function size",
        "function cast",
        "function logger::logger",
        "function sink<T>::~sink",
        "function version",
        "type create",
        "function open",
    ];
    check("cpp", content, &expected);
}
