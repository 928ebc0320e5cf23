package io.berth.schema.cel;

import static io.berth.schema.cel.KubernetesFunctions.BOOL;
import static io.berth.schema.cel.KubernetesFunctions.STRING;
import static io.berth.schema.cel.KubernetesFunctions.problem;

import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelEvaluationException;
import io.berth.schema.cel.Functions.Parameter;

/// `semver`, `isSemver`, and comparing versions.
final class SemverFunctions {

  private static final OpaqueType TYPE = OpaqueType.create("kubernetes.Semver");
  private static final Parameter<Semver> SEMVER = new Parameter<>(TYPE, Semver.class);

  private SemverFunctions() {}

  static void addTo(Functions functions) {
    functions.global("semver", "string_to_semver", TYPE, STRING, text -> parsed(text, false));
    functions.global(
        "semver", "string_bool_to_semver", TYPE, STRING, BOOL, SemverFunctions::parsed);
    functions.global(
        "isSemver",
        "is_semver_string",
        SimpleType.BOOL,
        STRING,
        text -> Semver.parse(text, false) != null);
    functions.global(
        "isSemver",
        "is_semver_string_bool",
        SimpleType.BOOL,
        STRING,
        BOOL,
        (text, lenient) -> Semver.parse(text, lenient) != null);
    functions.member(
        "isGreaterThan",
        "semver_is_greater_than",
        SimpleType.BOOL,
        SEMVER,
        SEMVER,
        (a, b) -> a.compareTo(b) > 0);
    functions.member(
        "isLessThan",
        "semver_is_less_than",
        SimpleType.BOOL,
        SEMVER,
        SEMVER,
        (a, b) -> a.compareTo(b) < 0);
    functions.member(
        "compareTo",
        "semver_compare_to",
        SimpleType.INT,
        SEMVER,
        SEMVER,
        (a, b) -> (long) Integer.signum(a.compareTo(b)));
    functions.member("major", "semver_major", SimpleType.INT, SEMVER, Semver::major);
    functions.member("minor", "semver_minor", SimpleType.INT, SEMVER, Semver::minor);
    functions.member("patch", "semver_patch", SimpleType.INT, SEMVER, Semver::patch);
  }

  private static Semver parsed(String text, boolean lenient) throws CelEvaluationException {
    var version = Semver.parse(text, lenient);
    if (version == null) {
      throw problem("No Major.Minor.Patch elements found");
    }
    return version;
  }
}
