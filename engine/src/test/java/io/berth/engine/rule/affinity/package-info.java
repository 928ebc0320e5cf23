/// Rules about labels of nodes and about company, each in a table.
@NullMarked
package io.berth.engine.rule.affinity;

import org.jspecify.annotations.NullMarked;
