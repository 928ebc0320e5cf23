package io.berth.schema.cel;

import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelFunctionOverload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Functions as they are declared to the compiler and bound for evaluation.
final class Functions {

  private final Map<String, List<CelOverloadDecl>> overloads = new LinkedHashMap<>();
  private final List<CelFunctionBinding> bindings = new ArrayList<>();

  /// A parameter: its type in expressions, and what stands for it here.
  record Parameter<T>(CelType type, Class<T> java) {}

  List<CelFunctionDecl> declarations() {
    var declarations = new ArrayList<CelFunctionDecl>();
    overloads.forEach(
        (name, each) -> declarations.add(CelFunctionDecl.newFunctionDeclaration(name, each)));
    return declarations;
  }

  List<CelFunctionBinding> bindings() {
    return bindings;
  }

  /// `name()`.
  void global(String name, String id, CelType result, CelFunctionOverload body) {
    declare(name, CelOverloadDecl.newGlobalOverload(id, result));
    bindings.add(CelFunctionBinding.from(id, List.of(), body));
  }

  /// `name(a)`.
  <A> void global(
      String name, String id, CelType result, Parameter<A> a, CelFunctionOverload.Unary<A> body) {
    declare(name, CelOverloadDecl.newGlobalOverload(id, result, a.type));
    bindings.add(CelFunctionBinding.from(id, a.java, body));
  }

  /// `name(a, b)`.
  <A, B> void global(
      String name,
      String id,
      CelType result,
      Parameter<A> a,
      Parameter<B> b,
      CelFunctionOverload.Binary<A, B> body) {
    declare(name, CelOverloadDecl.newGlobalOverload(id, result, a.type, b.type));
    bindings.add(CelFunctionBinding.from(id, a.java, b.java, body));
  }

  /// `a.name()`.
  <A> void member(
      String name, String id, CelType result, Parameter<A> a, CelFunctionOverload.Unary<A> body) {
    declare(name, CelOverloadDecl.newMemberOverload(id, result, a.type));
    bindings.add(CelFunctionBinding.from(id, a.java, body));
  }

  /// `a.name(b)`.
  <A, B> void member(
      String name,
      String id,
      CelType result,
      Parameter<A> a,
      Parameter<B> b,
      CelFunctionOverload.Binary<A, B> body) {
    declare(name, CelOverloadDecl.newMemberOverload(id, result, a.type, b.type));
    bindings.add(CelFunctionBinding.from(id, a.java, b.java, body));
  }

  /// `a.name(b, c)`.
  void member(
      String name,
      String id,
      CelType result,
      Parameter<?> a,
      Parameter<?> b,
      Parameter<?> c,
      CelFunctionOverload body) {
    declare(name, CelOverloadDecl.newMemberOverload(id, result, a.type, b.type, c.type));
    bindings.add(CelFunctionBinding.from(id, List.of(a.java, b.java, c.java), body));
  }

  private void declare(String name, CelOverloadDecl overload) {
    overloads.computeIfAbsent(name, _ -> new ArrayList<>()).add(overload);
  }
}
