/// Admission policies and webhooks at work in a server.
@NullMarked
package io.berth.server.admission;

import org.jspecify.annotations.NullMarked;
