/// The kinds of `admissionregistration.k8s.io`: policies in expressions, their bindings, webhooks.
///
/// Start at [ValidatingAdmissionPolicyStrategy]. What the kinds share is in [MatchResources],
/// [MatchConditions] and [ResourceRules].
@NullMarked
package io.berth.kinds.admissionregistration;

import org.jspecify.annotations.NullMarked;
