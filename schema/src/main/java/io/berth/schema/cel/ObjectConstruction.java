package io.berth.schema.cel;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableSet;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelMutableAst;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.ast.CelMutableExpr;
import dev.cel.common.ast.CelMutableExpr.CelMutableCall;
import dev.cel.common.ast.CelMutableExpr.CelMutableMap;
import dev.cel.common.ast.CelMutableExpr.CelMutableStruct;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import io.berth.schema.cel.Functions.Parameter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// `Object{spec: Object.spec{…}}` and `JSONPatch{op: …}`: types whose fields are whatever the
/// expression says.
///
/// The checker wants to know fields beforehand, so they are gathered from the expression. The
/// interpreter makes protobuf messages only, so each construction becomes a call that makes an
/// [ObjectValue].
final class ObjectConstruction {

  private static final String MAKE = "@object";
  private static final String OBJECT = "Object";
  private static final String PATCH = "JSONPatch";
  private static final ImmutableSet<String> PATCH_FIELDS =
      ImmutableSet.of("op", "from", "path", "value");

  private final CelAbstractSyntaxTree parsed;

  ObjectConstruction(CelAbstractSyntaxTree parsed) {
    this.parsed = parsed;
  }

  static void addTo(Functions functions) {
    functions.global(
        MAKE,
        "make_object",
        SimpleType.DYN,
        KubernetesFunctions.STRING,
        fields(),
        ObjectValue::new);
  }

  @SuppressWarnings("unchecked") // The names of fields are text.
  private static Parameter<Map<String, Object>> fields() {
    return new Parameter<>(
        MapType.create(SimpleType.STRING, SimpleType.DYN),
        (Class<Map<String, Object>>) (Class<?>) Map.class);
  }

  /// The given types, and those of objects and patches with every field the expression names.
  CelTypeProvider types(CelTypeProvider others) {
    var names = new HashSet<String>();
    Walk.through(
        CelMutableAst.fromCelAst(parsed).expr(),
        each -> {
          if (each.getKind() == Kind.STRUCT) {
            each.struct().entries().forEach(entry -> names.add(entry.fieldKey()));
          } else if (each.getKind() == Kind.SELECT) {
            names.add(each.select().field());
          }
        });
    return new WithObjects(others, ImmutableSet.copyOf(names));
  }

  /// The expression with calls in place of constructions.
  CelAbstractSyntaxTree rewritten() {
    var tree = CelMutableAst.fromCelAst(parsed);
    long[] last = {0};
    Walk.through(tree.expr(), each -> last[0] = Math.max(last[0], highest(each)));
    Walk.through(
        tree.expr(),
        each -> {
          if (each.getKind() == Kind.STRUCT && isMade(each.struct().messageName())) {
            each.setCall(call(each.struct(), last));
          }
        });
    return tree.toParsedAst();
  }

  private static long highest(CelMutableExpr expression) {
    long highest = expression.id();
    if (expression.getKind() == Kind.STRUCT) {
      for (var entry : expression.struct().entries()) {
        highest = Math.max(highest, entry.id());
      }
    } else if (expression.getKind() == Kind.MAP) {
      for (var entry : expression.map().entries()) {
        highest = Math.max(highest, entry.id());
      }
    }
    return highest;
  }

  private static CelMutableCall call(CelMutableStruct struct, long[] last) {
    var entries = new ArrayList<CelMutableMap.Entry>();
    for (var entry : struct.entries()) {
      var key = CelMutableExpr.ofConstant(++last[0], CelConstant.ofValue(entry.fieldKey()));
      entries.add(
          CelMutableMap.Entry.create(entry.id(), key, entry.value(), entry.optionalEntry()));
    }
    return CelMutableCall.create(
        MAKE,
        List.of(
            CelMutableExpr.ofConstant(++last[0], CelConstant.ofValue(struct.messageName())),
            CelMutableExpr.ofMap(++last[0], CelMutableMap.create(entries))));
  }

  private static boolean isMade(String type) {
    return type.equals(OBJECT) || type.startsWith(OBJECT + ".") || type.equals(PATCH);
  }

  private record WithObjects(CelTypeProvider others, ImmutableSet<String> fields)
      implements CelTypeProvider {

    @Override
    public ImmutableCollection<CelType> types() {
      return others.types();
    }

    @Override
    public Optional<CelType> findType(String name) {
      if (!isMade(name)) {
        return others.findType(name);
      }
      return Optional.of(
          name.equals(PATCH)
              ? StructType.create(name, PATCH_FIELDS, WithObjects::ofPatch)
              : StructType.create(name, fields, _ -> Optional.of(SimpleType.DYN)));
    }

    private static Optional<CelType> ofPatch(String field) {
      return Optional.of(field.equals("value") ? SimpleType.DYN : SimpleType.STRING);
    }
  }
}
