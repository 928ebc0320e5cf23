/// The example of the guide "Write a rule".
@NullMarked
package io.berth.engine.example;

import org.jspecify.annotations.NullMarked;
