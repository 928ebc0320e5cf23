package io.berth.server.identity;

import com.nimbusds.jwt.JWTClaimsSet;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What tokens say whose signature was found good: it stays so, and finding out costs more than a
/// small request. Whether they still hold is asked every time.
final class SignedTokens {

  private static final int MOST = 1000;

  /// Real ones are about a thousand characters long.
  private static final int LONGEST = 4096;

  private final Map<String, JWTClaimsSet> claims =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, JWTClaimsSet> eldest) {
          return size() > MOST;
        }
      };

  synchronized @Nullable JWTClaimsSet find(String token) {
    return claims.get(token);
  }

  synchronized void add(String token, JWTClaimsSet said) {
    if (token.length() <= LONGEST) {
      claims.put(token, said);
    }
  }
}
