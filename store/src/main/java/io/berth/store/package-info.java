/// Revisions, watches, durability: what etcd is to Kubernetes.
///
/// Start at [Store]. Every write gets the next revision of one counter; an acknowledged write is on
/// disk; readers and watchers are served from memory and see revisions in order.
@NullMarked
package io.berth.store;

import org.jspecify.annotations.NullMarked;
