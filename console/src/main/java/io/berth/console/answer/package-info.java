/// Questions to the engine: why does it wait, what helps, how were nodes scored.
@NullMarked
package io.berth.console.answer;

import org.jspecify.annotations.NullMarked;
