import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import Testing

/// Repositories written by python-tuf, which the client is to accept or refuse as python-tuf itself would.
@Suite("Repositories of python-tuf", .pythonPeers) struct PythonPeerTests {
  /// The beginning of every scenario: `repo` with keys of three kinds, `publish` and `write`.
  static let prelude = """
    import hashlib, os, sys
    from datetime import datetime, timedelta, timezone
    from securesystemslib.signer import CryptoSigner
    from tuf.api.metadata import *
    place = sys.argv[1]
    os.makedirs(place + "/metadata"); os.makedirs(place + "/targets/team")
    late = (datetime.now(timezone.utc) + timedelta(days=5)).replace(microsecond=0)
    new = {"ed25519": CryptoSigner.generate_ed25519, "ecdsa": CryptoSigner.generate_ecdsa, "rsa": CryptoSigner.generate_rsa}
    signers = {}
    root = Metadata(Root(expires=late)); timestamp = Metadata(Timestamp(expires=late))
    snapshot = Metadata(Snapshot(expires=late)); targets = Metadata(Targets(expires=late))
    roles = {"root": root, "timestamp": timestamp, "snapshot": snapshot, "targets": targets}
    def key(role, kind="ed25519"):
        signer = new[kind]()
        signers.setdefault(role, []).append(signer)
        if role in ("root", "timestamp", "snapshot", "targets"): root.signed.add_key(signer.public_key, role)
        return signer
    def sign(role):
        md = roles[role]; md.signatures.clear()
        for signer in signers[role]: md.sign(signer, append=True)
        return md.to_bytes()
    def write(role):
        md = roles[role]; data = sign(role)
        versioned = role == "root" or (root.signed.consistent_snapshot and role != "timestamp")
        name = f"{md.signed.version}.{role}.json" if versioned else f"{role}.json"
        open(f"{place}/metadata/{name}", "wb").write(data)
        meta = MetaFile(md.signed.version, len(data), {"sha256": hashlib.sha256(data).hexdigest()})
        if role == "snapshot": timestamp.signed.snapshot_meta = meta
        elif role not in ("root", "timestamp"): snapshot.signed.meta[role + ".json"] = meta
    def offer(role, name, content):
        info = TargetFile.from_data(name, content, ["sha256", "sha512"])
        info.unrecognized_fields["custom"] = {"note": "\\u4fee\\u590d \\"x\\" \\\\ /"}
        roles[role].signed.targets[name] = info
        folder, _, base = name.rpartition("/")
        if root.signed.consistent_snapshot: base = info.hashes["sha512"] + "." + base
        path = f"{place}/targets/{folder}"; os.makedirs(path, exist_ok=True)
        open(f"{path}/{base}", "wb").write(content)
        if root.signed.consistent_snapshot:
            open(f"{path}/{info.hashes['sha256']}.{name.rpartition('/')[2]}", "wb").write(content)
    def begin(*kinds): [key(role, kind) for role, kind in zip(roles, kinds or ["ed25519"] * 4)]
    def finish(*names):
        for role in names + ("targets", "snapshot", "timestamp"): write(role)

    """

  struct Scenario: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let script: String
    var targets: [String: String] = [:]
    var refusal: String?
  }

  static let scenarios = [
    Scenario(
      testDescription: "keys of all three kinds, custom members, two digests",
      script: """
        begin("rsa", "ecdsa", "ed25519", "rsa"); root.signed.unrecognized_fields["x-team"] = {"b": [1, None, True], "a": "\\u00e9"}
        write("root"); offer("targets", "one file.txt", b"one"); finish()
        """, targets: ["one file.txt": "one"]),
    Scenario(
      testDescription: "rotation of the root's keys and of the others",
      script: """
        begin(); write("root")
        for round in range(3):
            old = signers.pop("root"); [root.signed.revoke_key(s.public_key.keyid, "root") for s in old]
            [root.signed.revoke_key(s.public_key.keyid, "snapshot") for s in signers.pop("snapshot")]
            key("root", ("ecdsa", "rsa", "ed25519")[round]); key("snapshot")
            root.signed.version += 1; fresh = signers["root"]; signers["root"] = fresh + old
            write("root"); signers["root"] = fresh
        offer("targets", "x", b"rotated"); finish()
        """, targets: ["x": "rotated"]),
    Scenario(
      testDescription: "delegations two deep, one that ends the search",
      script: """
        begin(); write("root")
        def delegate(parent, name, paths, terminating=False):
            signer = new["ecdsa"](); signers[name] = [signer]
            roles[name] = Metadata(Targets(expires=late))
            parent = roles[parent].signed
            if parent.delegations is None: parent.delegations = Delegations({}, roles={})
            parent.delegations.roles[name] = DelegatedRole(name, [], 1, terminating, paths)
            parent.add_key(signer.public_key, name)
        delegate("targets", "team", ["team/*", "shared/*/*"]); delegate("team", "cart", ["team/cart-*"], True)
        delegate("targets", "other", ["team/*"])
        offer("cart", "team/cart-1", b"cart"); offer("other", "team/cart-2", b"not asked")
        offer("other", "team/login-1", b"login"); finish("team", "cart", "other")
        """, targets: ["team/cart-1": "cart", "team/cart-2": "", "team/login-1": "login"]),
    Scenario(
      testDescription: "thresholds of two of three",
      script: """
        begin()
        for role in ("root", "targets"):
            key(role); key(role, "ecdsa"); root.signed.roles[role].threshold = 2
        write("root"); signers["targets"].pop(); offer("targets", "x", b"two of three"); finish()
        """, targets: ["x": "two of three"]),
    Scenario(
      testDescription: "below the threshold",
      script: """
        begin(); key("targets"); key("targets"); root.signed.roles["targets"].threshold = 2
        write("root"); signers["targets"] = signers["targets"][:1]; finish()
        """, refusal: "metadata-below-threshold"),
    Scenario(
      testDescription: "an expired timestamp",
      script: """
        begin(); timestamp.signed.expires = datetime(2020, 1, 1, tzinfo=timezone.utc); write("root"); finish()
        """, refusal: "timestamp-frozen"),
    Scenario(
      testDescription: "an expired snapshot",
      script: """
        begin(); snapshot.signed.expires = datetime(2020, 1, 1, tzinfo=timezone.utc); write("root"); finish()
        """, refusal: "metadata-expired"),
    Scenario(
      testDescription: "succinct bins",
      script: """
        begin(); write("root")
        bins = SuccinctRoles([], 1, 5, "bin"); targets.signed.delegations = Delegations({}, None, bins)
        signer = new["ed25519"](); targets.signed.add_key(signer.public_key)
        for name in bins.get_roles(): roles[name] = Metadata(Targets(expires=late)); signers[name] = [signer]
        for index in range(12): offer(bins.get_role_for_target(f"t{index}"), f"t{index}", b"%d" % index)
        finish(*bins.get_roles())
        """, targets: Dictionary(uniqueKeysWithValues: (0..<12).map { ("t\($0)", "\($0)") })),
    Scenario(
      testDescription: "hash prefixes",
      script: """
        begin(); write("root"); targets.signed.delegations = Delegations({}, roles={})
        for digit in "0123456789abcdef":
            name = "bin-" + digit; signers[name] = [new["ed25519"]()]; roles[name] = Metadata(Targets(expires=late))
            targets.signed.delegations.roles[name] = DelegatedRole(name, [], 1, True, None, [digit])
            targets.signed.add_key(signers[name][0].public_key, name)
        digit = hashlib.sha256(b"path/x").hexdigest()[0]
        offer("bin-" + digit, "path/x", b"found"); finish(*["bin-" + d for d in "0123456789abcdef"])
        """, targets: ["path/x": "found", "path/y": ""]),
    Scenario(
      testDescription: "without consistent snapshots",
      script: """
        begin(); root.signed.consistent_snapshot = False; write("root")
        offer("targets", "team/x", b"plain names"); finish()
        """, targets: ["team/x": "plain names"]),
    Scenario(
      testDescription: "a snapshot of another moment",
      script: """
        begin(); write("root"); finish(); old = open(place + "/metadata/1.targets.json", "rb").read()
        targets.signed.version = 2; write("targets"); snapshot.signed.meta["targets.json"] = MetaFile(2)
        snapshot.signed.version = 2; write("snapshot"); timestamp.signed.version = 2; write("timestamp")
        open(place + "/metadata/2.targets.json", "wb").write(old)
        """, refusal: "metadata-mix-and-match"),
  ]

  @Test("the client takes what python-tuf wrote, and refuses what is wrong with it", arguments: scenarios)
  func scenario(_ scenario: Scenario) throws {
    let place = try TemporaryFolder()
    let script = place.url.appending(path: "scenario.py")
    try (Self.prelude + scenario.script).write(to: script, atomically: true, encoding: .utf8)
    let address = place.path + "/repository"
    let outcome = try Command.run(Fixture.python, [script.path, address])
    try #require(outcome.status == 0, "\(outcome.errors)")
    let folder = TemporaryMetadata()
    var client = RepositoryClient(
      metadataFolder: folder.path, fetch: try RepositoryFetch(mirrors: [address], scratch: folder.path))
    try client.initialize(root: Array(Data(contentsOf: URL(filePath: address + "/metadata/1.root.json"))))
    if let refusal = scenario.refusal {
      expectRefusal(refusal) { try client.refresh() }
      return
    }
    try client.refresh()
    for (name, content) in scenario.targets {
      let target = try client.target(name)
      #expect((target == nil) == content.isEmpty, "\(name)")
      guard let target else { continue }
      let path = folder.path + "/out/" + PercentEncoding.fileName(name)
      #expect(try client.download(target, to: path))
      #expect(try String(contentsOfFile: path, encoding: .utf8) == content)
    }
  }
}
