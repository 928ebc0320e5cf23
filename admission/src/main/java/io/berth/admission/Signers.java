package io.berth.admission;

/// Who may act for a signer of certificates.
final class Signers {

  private Signers() {}

  /// Whether the user may do this for the signer itself or for all signers of its domain.
  static boolean allow(User user, String verb, String signer, Lookup lookup) {
    int slash = signer.indexOf('/');
    var domain = (slash < 0 ? signer : signer.substring(0, slash)) + "/*";
    return lookup.allowed(user, access(verb, signer)) || lookup.allowed(user, access(verb, domain));
  }

  private static Lookup.Access access(String verb, String name) {
    return new Lookup.Access(verb, "certificates.k8s.io", "signers", "", "", name);
  }
}
