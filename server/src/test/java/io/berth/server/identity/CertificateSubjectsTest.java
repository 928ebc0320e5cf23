package io.berth.server.identity;

import static io.berth.server.identity.Requests.BMP;
import static io.berth.server.identity.Requests.GENERAL;
import static io.berth.server.identity.Requests.IA5;
import static io.berth.server.identity.Requests.NUMERIC;
import static io.berth.server.identity.Requests.PRINTABLE;
import static io.berth.server.identity.Requests.T61;
import static io.berth.server.identity.Requests.UNIVERSAL;
import static io.berth.server.identity.Requests.UTF8;
import static io.berth.server.identity.Requests.commonName;
import static io.berth.server.identity.Requests.latin;
import static io.berth.server.identity.Requests.longer;
import static io.berth.server.identity.Requests.name;
import static io.berth.server.identity.Requests.organization;
import static io.berth.server.identity.Requests.pair;
import static io.berth.server.identity.Requests.tagged;
import static io.berth.server.identity.Requests.wide;
import static io.berth.server.identity.Requests.wider;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.berth.api.Tree;
import io.berth.server.TestServer;
import io.berth.server.http.Call;
import io.berth.server.request.Query;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// However a subject is written down, who reads it when it is asked for, signed and shown later
/// reads the same, or nobody takes it.
class CertificateSubjectsTest {

  private static final String REQUESTS = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
  private static final String MASTERS = "system:masters";

  private final Authority authority = TestServer.authority();

  record Case(String name, byte[] subject) {

    @Override
    public String toString() {
      return name;
    }
  }

  /// Each of these is a member of `system:masters` for somebody.
  static final List<Case> MASTERS_IN_DISGUISE =
      List.of(
          masters("UTF8String", UTF8, MASTERS.getBytes(StandardCharsets.UTF_8)),
          masters("PrintableString", PRINTABLE, latin(MASTERS)),
          masters("IA5String", IA5, latin(MASTERS)),
          masters("TeletexString", T61, latin(MASTERS)),
          masters("BMPString", BMP, wide(MASTERS)),
          masters("BMPString with an end", BMP, wide(MASTERS + "\0")),
          masters("UniversalString", UNIVERSAL, wider(MASTERS)),
          masters("GeneralString", GENERAL, latin(MASTERS)),
          masters("VisibleString", 0x1a, latin(MASTERS)),
          masters("OCTET STRING", 0x04, latin(MASTERS)),
          masters("in parts", 0x2c, tagged(UTF8, latin(MASTERS))),
          masters("of another class", 0x8c, latin(MASTERS)),
          new Case(
              "second value of a set",
              name(Der.set(pair("2.5.4.3", Der.text("eve")), pair("2.5.4.10", Der.text(MASTERS))))),
          new Case(
              "second of two organizations in a set",
              name(
                  commonName("eve"),
                  Der.set(pair("2.5.4.10", Der.text("a")), pair("2.5.4.10", Der.text(MASTERS))))),
          new Case(
              "repeated organization",
              name(
                  commonName("eve"),
                  organization(UTF8, latin("a")),
                  masters(UTF8, latin(MASTERS)))),
          new Case(
              "behind a value",
              name(
                  commonName("eve"),
                  Der.set(Der.sequence(Der.oid("2.5.4.10"), Der.text("a"), Der.text(MASTERS))))),
          new Case(
              "sequence instead of set",
              name(commonName("eve"), Der.sequence(pair("2.5.4.10", Der.text(MASTERS))))),
          new Case(
              "length of two bytes",
              name(commonName("eve"), Der.set(pair("2.5.4.10", longer(Der.text(MASTERS)))))),
          new Case(
              "length without end",
              name(
                  commonName("eve"),
                  Der.concat(
                      new byte[] {0x31, (byte) 0x80},
                      pair("2.5.4.10", Der.text(MASTERS)),
                      new byte[] {0, 0}))),
          new Case(
              "type with a zero before it",
              name(
                  commonName("eve"),
                  Der.set(
                      Der.sequence(
                          tagged(0x06, (byte) 0x55, (byte) 0x04, (byte) 0x80, (byte) 0x0a),
                          Der.text(MASTERS))))),
          new Case(
              "long form of a tag",
              name(
                  commonName("eve"),
                  Der.set(
                      Der.sequence(
                          Der.oid("2.5.4.10"),
                          Der.concat(new byte[] {0x1f, 0x0c, 14}, latin(MASTERS)))))));

  private static Case masters(String name, int tag, byte[] value) {
    return new Case(name, name(commonName("eve"), masters(tag, value)));
  }

  private static byte[] masters(int tag, byte[] value) {
    return organization(tag, value);
  }

  @ParameterizedTest(name = "{0}")
  @FieldSource("MASTERS_IN_DISGUISE")
  void nobodyAsksForTheGroupThatMayDoEverything(Case c) {
    try (var server = new TestServer()) {
      var answer = server.post("admin", REQUESTS, request(Requests.pem(c.subject())));

      assertThat(answer.code()).isIn(403, 422);
    }
  }

  @ParameterizedTest(name = "{0}")
  @FieldSource("MASTERS_IN_DISGUISE")
  void nobodySignsForTheGroupThatMayDoEverything(Case c) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> authority.signClient(Requests.pem(c.subject()), Duration.ofHours(1)));
  }

  /// What Go reads from the same bytes.
  record Read(String name, byte[] subject, String user, List<String> groups) {

    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Read> READ =
      List.of(
          new Read("plain", name(commonName("eve")), "eve", List.of()),
          read("accents in UTF-8", UTF8, "é€𝄞".getBytes(StandardCharsets.UTF_8), "é€𝄞"),
          read("accents in T.61", T61, latin("é"), "é"),
          read("accents in BMP", BMP, wide("é€"), "é€"),
          read("digits", NUMERIC, latin("12 3"), "12 3"),
          read("end of a BMPString", BMP, wide("a\0"), "a"),
          read("zero within", UTF8, latin("a\0b"), "a\0b"),
          read("zero behind", UTF8, latin(MASTERS + "\0"), MASTERS + "\0"),
          read("what LDAP escapes", UTF8, latin(" #a,b+c=\\\"<>;d "), " #a,b+c=\\\"<>;d "),
          read("empty", UTF8, new byte[0], ""),
          new Read(
              "the last common name",
              name(commonName("eve"), commonName("adam")),
              "adam",
              List.of()),
          new Read(
              "organizations in order, in sets or not",
              name(
                  Der.set(pair("2.5.4.10", Der.text("a")), pair("2.5.4.10", Der.text("b"))),
                  organization(PRINTABLE, latin("c")),
                  commonName("eve")),
              "eve",
              List.of("a", "b", "c")),
          new Read(
              "where somebody lives",
              name(
                  Der.set(pair("2.5.4.6", tagged(PRINTABLE, latin("CH")))),
                  Der.set(pair("1.2.840.113549.1.9.1", tagged(IA5, latin("e@example.com")))),
                  Der.set(pair("2.5.4.11", Der.text(MASTERS))),
                  commonName("eve")),
              "eve",
              List.of()));

  private static Read read(String name, int tag, byte[] value, String group) {
    return new Read(name, name(commonName("eve"), organization(tag, value)), "eve", List.of(group));
  }

  @ParameterizedTest(name = "{0}")
  @FieldSource("READ")
  void theBearerIsWhoWasAskedFor(Read c) throws Exception {
    var pem = authority.signClient(Requests.pem(c.subject()), Duration.ofHours(1));
    var user = whoAmI(Certificates.certificate(pem)).treeOrEmpty("status", "userInfo");

    var groups = new ArrayList<Object>(c.groups());
    groups.add("system:authenticated");
    assertThat(user.text("username")).isEqualTo(c.user());
    assertThat(user.list("groups")).isEqualTo(groups);
  }

  @Test
  void nobodyIsNobody() {
    var certificate = authority.client("", List.of("a")).certificate();

    assertThat(whoAmI(certificate).number(0, "code")).isEqualTo(401);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> authority.signClient(Requests.pem(name()), Duration.ofHours(1)))
        .withMessage("a client certificate needs a common name");
  }

  static final List<Case> REFUSED =
      List.of(
          new Case("no UTF-8", name(organization(UTF8, new byte[] {(byte) 0xc0, (byte) 0xaf}))),
          new Case("half of a BMP character", name(organization(BMP, new byte[] {0, 'a', 0}))),
          new Case("surrogates", name(organization(BMP, wide("𝄞")))),
          new Case("no character", name(organization(BMP, new byte[] {(byte) 0xff, (byte) 0xfe}))),
          new Case("printable, but not", name(organization(PRINTABLE, latin("a@b")))),
          new Case("not ASCII", name(organization(IA5, latin("é")))),
          new Case("no digits", name(organization(NUMERIC, latin("a")))),
          new Case("no value", name(Der.set(Der.sequence(Der.oid("2.5.4.10"))))),
          new Case("no type", name(Der.set(Der.sequence(Der.text("a"))))),
          new Case("empty type", name(Der.set(Der.sequence(tagged(0x06), Der.text("a"))))),
          new Case(
              "type without end",
              name(Der.set(Der.sequence(tagged(0x06, (byte) 0x55, (byte) 0x84), Der.text("a"))))),
          new Case(
              "type that is too large",
              name(
                  Der.set(
                      Der.sequence(
                          Der.concat(
                              new byte[] {0x06, 12, 0x55, 0x04, (byte) 0x82},
                              new byte[] {-128, -128, -128, -128, -128, -128, -128, -128, 0x0a}),
                          Der.text("a"))))),
          new Case("no subject", tagged(0x05)),
          new Case("a set of names", Der.set(commonName("eve"))));

  @ParameterizedTest(name = "{0}")
  @FieldSource("REFUSED")
  void whatGoRefusesIsRefused(Case c) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> authority.signClient(Requests.pem(c.subject()), Duration.ofHours(1)));
  }

  @Test
  void nothingFollowsARequest() {
    var eve = name(commonName("eve"));
    for (var der :
        List.of(
            Der.concat(Requests.der(eve, new byte[0]), new byte[] {0}),
            Requests.der(eve, Der.text("more")))) {
      var pem = Certificates.pem("CERTIFICATE REQUEST", der);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> authority.signClient(pem, Duration.ofHours(1)));
    }
  }

  @Test
  void theFirstBlockIsTheRequest() {
    var eve = Requests.pem(name(commonName("eve")));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> authority.signClient(authority.certificatePem() + eve, Duration.ofHours(1)));
  }

  private Tree whoAmI(X509Certificate certificate) {
    try (var server = new TestServer()) {
      var call =
          new Call(
              "POST",
              "/apis/authentication.k8s.io/v1/selfsubjectreviews",
              Query.parse(""),
              Map.of(),
              List.of(certificate),
              "127.0.0.1",
              () -> latin("{}"));
      return TestServer.json(server.server().endpoint().answer(call));
    }
  }

  private static String request(String pem) {
    return """
    {'metadata':{'name':'eve'},'spec':{'signerName':'kubernetes.io/kube-apiserver-client',
    'usages':['client auth'],'request':'%s'}}\
    """
        .formatted(Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII)));
  }
}
