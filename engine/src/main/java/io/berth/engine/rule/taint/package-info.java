/// Taints of nodes and tolerations of pods: [TaintToleration].
@NullMarked
package io.berth.engine.rule.taint;

import org.jspecify.annotations.NullMarked;
