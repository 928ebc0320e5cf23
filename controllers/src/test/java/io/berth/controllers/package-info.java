/// Tests of the controllers against a Kubernetes API in memory and a clock that is moved.
@NullMarked
package io.berth.controllers;

import org.jspecify.annotations.NullMarked;
