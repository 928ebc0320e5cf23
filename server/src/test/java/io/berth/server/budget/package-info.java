/// Who gets more when little is left.
@org.jspecify.annotations.NullMarked
package io.berth.server.budget;
