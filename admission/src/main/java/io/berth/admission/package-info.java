/// Changes and refuses requests before they are stored: one class per Kubernetes admission plugin,
/// with Kubernetes' names, order and words.
///
/// Start at [AdmissionChain], which lists the plugins in the order they run. The server hands each
/// write to [AdmissionChain#mutate] before the object is validated, and to
/// [AdmissionChain#validate] after, as [Attributes]; a plugin that refuses throws an
/// [io.berth.api.ApiException]. Other objects are read through [Lookup].
@NullMarked
package io.berth.admission;

import org.jspecify.annotations.NullMarked;
