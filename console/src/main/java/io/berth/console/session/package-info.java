/// Who asks: [Sessions] that were opened with a credential, by a certificate, a token or a code.
@NullMarked
package io.berth.console.session;

import org.jspecify.annotations.NullMarked;
