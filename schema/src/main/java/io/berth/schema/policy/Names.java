package io.berth.schema.policy;

/// What an expression may name besides `object`, `oldObject`, `request` and `namespaceObject`.
public record Names(boolean params, boolean authorizer, boolean objects) {

  /// Without parameters and authorizer.
  public static final Names BASIC = new Names(false, false, false);

  public Names withParams(boolean has) {
    return new Names(has, authorizer, objects);
  }

  /// Also `authorizer`.
  public Names withAuthorizer() {
    return new Names(params, true, objects);
  }

  /// Also `Object{…}` and `JSONPatch{…}`.
  public Names withObjects() {
    return new Names(params, authorizer, true);
  }
}
