/// The three patches of Kubernetes: [JsonPatch], [MergePatch] and [StrategicMerge].
///
/// Start at [Patcher], which takes a patch body and the current object and gives the patched object
/// in canonical form, or Kubernetes' refusal. For custom resources use the first two directly.
@NullMarked
package io.berth.schema.patch;

import org.jspecify.annotations.NullMarked;
