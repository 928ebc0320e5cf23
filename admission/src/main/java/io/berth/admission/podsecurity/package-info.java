/// The Pod Security Standards: what a pod of each level may not do, in Kubernetes' words.
///
/// Start at [Policy], which namespaces carry as labels, and [Checks], which lists the rules.
@NullMarked
package io.berth.admission.podsecurity;

import org.jspecify.annotations.NullMarked;
