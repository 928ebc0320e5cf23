package io.berth.admission;

import io.berth.api.Resource;

/// One Kubernetes admission plugin, used by many threads. What it keeps between requests, if
/// anything, is derived from stored objects.
public interface AdmissionPlugin {

  /// Kubernetes' name of it, as `--enable-admission-plugins` takes it.
  String name();

  /// Changes the object before it is validated, or refuses the request.
  default void mutate(Attributes request, Lookup lookup) {}

  /// Whether [#review] has anything to do; asked for every write, so the answer must be quick.
  default boolean reviews(Lookup lookup) {
    return false;
  }

  /// Refuses the request; runs after the object is known to be valid and before the store's
  /// transaction, so it may ask others and take its time.
  default void review(Attributes request, Lookup lookup) {}

  /// Refuses the request; runs after the object is known to be valid, in the store's transaction.
  default void validate(Attributes request, Lookup lookup) {}

  /// Hears that an object of this resource was written.
  default void changed(Resource resource) {}
}
