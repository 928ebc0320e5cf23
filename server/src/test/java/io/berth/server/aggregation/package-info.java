/// Requests that go to other API servers, and those servers as tests have them.
@NullMarked
package io.berth.server.aggregation;

import org.jspecify.annotations.NullMarked;
