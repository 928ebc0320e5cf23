/// Rules about resources, each in a table.
@NullMarked
package io.berth.engine.rule.resources;

import org.jspecify.annotations.NullMarked;
