/// Tests of what happens on connections, below requests and answers.
@NullMarked
package io.berth.server.http;

import org.jspecify.annotations.NullMarked;
