/// The kinds of `rbac.authorization.k8s.io`: roles and who has them.
@NullMarked
package io.berth.kinds.rbac;

import org.jspecify.annotations.NullMarked;
