/// Host ports: [NodePorts].
@NullMarked
package io.berth.engine.rule.port;

import org.jspecify.annotations.NullMarked;
