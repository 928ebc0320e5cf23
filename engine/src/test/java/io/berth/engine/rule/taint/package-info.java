/// The rule about taints in a table.
@NullMarked
package io.berth.engine.rule.taint;

import org.jspecify.annotations.NullMarked;
