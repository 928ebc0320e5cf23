/// The kinds of `networking.k8s.io`: what may reach pods, and how the outside does.
@NullMarked
package io.berth.kinds.networking;

import org.jspecify.annotations.NullMarked;
