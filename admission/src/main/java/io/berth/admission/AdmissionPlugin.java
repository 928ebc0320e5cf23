package io.berth.admission;

/// One Kubernetes admission plugin. It keeps no state between requests and is used by many threads.
public interface AdmissionPlugin {

  /// Kubernetes' name of it, as `--enable-admission-plugins` takes it.
  String name();

  /// Changes the object before it is validated, or refuses the request.
  default void mutate(Attributes request, Lookup lookup) {}

  /// Refuses the request; runs after the object is known to be valid, in the store's transaction.
  default void validate(Attributes request, Lookup lookup) {}
}
