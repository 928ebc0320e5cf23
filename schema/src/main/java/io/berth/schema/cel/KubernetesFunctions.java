package io.berth.schema.cel;

import dev.cel.common.CelErrorCode;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelEvaluationExceptionBuilder;
import io.berth.schema.cel.Functions.Parameter;

/// All functions that Kubernetes adds to the language.
final class KubernetesFunctions {

  static final Parameter<String> STRING = new Parameter<>(SimpleType.STRING, String.class);
  static final Parameter<Long> INT = new Parameter<>(SimpleType.INT, Long.class);
  static final Parameter<Boolean> BOOL = new Parameter<>(SimpleType.BOOL, Boolean.class);

  private KubernetesFunctions() {}

  static Functions all() {
    var functions = new Functions();
    ListFunctions.addTo(functions);
    RegexFunctions.addTo(functions);
    UrlFunctions.addTo(functions);
    QuantityFunctions.addTo(functions);
    AddressFunctions.addTo(functions);
    FormatFunctions.addTo(functions);
    SemverFunctions.addTo(functions);
    AuthorizerFunctions.addTo(functions);
    PatchFunctions.addTo(functions);
    ObjectConstruction.addTo(functions);
    return functions;
  }

  static CelEvaluationException problem(String message) {
    return CelEvaluationExceptionBuilder.newBuilder(message)
        .setErrorCode(CelErrorCode.INVALID_ARGUMENT)
        .build();
  }
}
