package io.berth.controllers.runtime;

/// Brings what is closer to what shall be, for one object.
///
/// Called for one key by one worker at a time, as often as anything may have changed; it must be
/// safe to call it again, and safe to be killed anywhere inside. An exception means: again, later.
public interface Reconciler {

  void reconcile(Key key);
}
