package io.berth.kinds.certificates;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import io.berth.kinds.meta.ObjectMeta;
import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// `certificates.k8s.io/v1 clustertrustbundles`: certificates to trust, perhaps those of one
/// signer, whose name then begins theirs.
///
/// Mirrors: registry/certificates/clustertrustbundle.strategy,
/// certificates/validation.ValidateClusterTrustBundle
public final class ClusterTrustBundleStrategy extends PlainStrategy {

  private static final int MAX_BYTES = 1 << 20;
  private static final String OMITTED = "<value omitted>";

  public ClusterTrustBundleStrategy(Resource resource) {
    super(resource);
  }

  @Override
  public void validateCreate(Cursor object) {
    validateBundle(object, true);
  }

  @Override
  public void validateUpdate(Cursor object, Tree old) {
    validateBundle(object, Fields.differs(object.tree(), old, "spec", "trustBundle"));
    ObjectMeta.validateUpdate(object, old);
    var signer = object.at("spec", "signerName");
    signer.with(signer.text()).immutable(old.textOrEmpty("spec", "signerName"));
  }

  private static void validateBundle(Cursor object, boolean parse) {
    var signer = object.at("spec", "signerName").ifFilled();
    ObjectMeta.validate(object, false, (name, prefix) -> nameComplaints(name, signer.text()));
    SignerNames.validate(signer);
    if (parse) {
      validateAnchors(object.at("spec", "trustBundle"));
    }
  }

  private static List<String> nameComplaints(String name, String signer) {
    if (signer.isEmpty()) {
      return name.contains(":")
          ? List.of("ClusterTrustBundle without signer name must not have \":\" in its name")
          : Names.dnsSubdomain(name);
    }
    var prefix = signer.replace('/', ':') + ":";
    return name.startsWith(prefix)
        ? Names.dnsSubdomain(name.substring(prefix.length()))
        : List.of(
            "ClusterTrustBundle for signerName %s must be named with prefix %s"
                .formatted(signer, prefix));
  }

  private static void validateAnchors(Cursor bundle) {
    if (Names.bytes(bundle.text()) > MAX_BYTES) {
      bundle.tooLong(MAX_BYTES);
      return;
    }
    boolean good = true;
    var places = new LinkedHashMap<String, List<Integer>>();
    var blocks = PemBlock.all(bundle.text());
    for (int i = 0; i < blocks.size(); i++) {
      var problem = problem(blocks.get(i));
      if (problem != null) {
        bundle.invalid(OMITTED, "entry %d %s".formatted(i, problem));
        good = false;
      } else {
        places.computeIfAbsent(blocks.get(i).base64(), _ -> new ArrayList<>()).add(i);
      }
    }
    if (!good) {
      return;
    }
    if (places.isEmpty()) {
      bundle.invalid(OMITTED, "at least one trust anchor must be provided");
    }
    for (var each : places.values()) {
      if (each.size() > 1) {
        bundle.invalid(
            OMITTED,
            "duplicate trust anchor (indices %s)".formatted(each.toString().replace(",", "")));
      }
    }
  }

  private static @Nullable String problem(PemBlock block) {
    if (!block.type().equals("CERTIFICATE")) {
      return "has bad block type: " + block.type();
    }
    if (block.hasHeaders()) {
      return "has PEM block headers";
    }
    try {
      var certificate =
          (X509Certificate)
              CertificateFactory.getInstance("X.509")
                  .generateCertificate(new ByteArrayInputStream(block.bytes()));
      return certificate.getBasicConstraints() < 0 ? "does not have the CA bit set" : null;
    } catch (CertificateException e) {
      return "does not parse as X.509";
    }
  }

  @Override
  public Set<String> fieldLabels() {
    return Set.of("spec.signerName");
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    return Cells.row(Cells.name(object), Cells.orNone(object.textOrEmpty("spec", "signerName")));
  }
}
