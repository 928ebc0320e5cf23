package io.berth.app;

import io.berth.admission.AdmissionPlugin;
import io.berth.admission.Attributes;
import io.berth.admission.Lookup;
import io.berth.admission.Operation;
import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.workloads.door.Door;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/// Has the workload layer judge what others write to its kinds, before it is stored.
///
/// All of it is done while objects may still be changed: a new one gets its number there. Deletions
/// are judged in the store's transaction, where nothing may wait for the layer, which writes.
final class WorkloadDoor implements AdmissionPlugin {

  private static final String GROUP = "berth.io";

  private final String layer;
  // Set once the layer is on its way; before that, so are its kinds not.
  private volatile @Nullable CompletableFuture<Door> door;

  /// `layer` is the user the layer itself writes as: it has judged before it writes.
  WorkloadDoor(String layer) {
    this.layer = layer;
  }

  /// From now on this door is asked.
  void open(CompletableFuture<Door> opening) {
    door = opening;
  }

  @Override
  public String name() {
    return "WorkloadDoor";
  }

  @Override
  public void mutate(Attributes request, Lookup lookup) {
    if (!request.resource().group().equals(GROUP)
        || !request.subresource().isEmpty()
        || request.user().name().equals(layer)) {
      return;
    }
    var opened = opened(request);
    if (opened == null) {
      return;
    }
    for (var resource : opened.resources()) {
      if (request.isFor(resource)) {
        judge(opened, resource, request);
      }
    }
  }

  /// `null` when there is no layer, or it did not start.
  private @Nullable Door opened(Attributes request) {
    var opening = door;
    if (opening == null) {
      return null;
    }
    if (request.is(Operation.DELETE) && !opening.isDone()) {
      throw new ApiException(503, "ServiceUnavailable", "the workload API is starting; try again");
    }
    try {
      return opening.join();
    } catch (CompletionException | CancellationException e) {
      return null;
    }
  }

  private static void judge(Door door, Resource resource, Attributes request) {
    switch (request.operation()) {
      case CREATE -> door.admit(resource, request.object(), null, request.dryRun());
      case UPDATE -> door.admit(resource, request.object(), request.oldObject(), request.dryRun());
      case DELETE -> door.release(resource, request.oldObject());
      case CONNECT -> {}
    }
  }
}
