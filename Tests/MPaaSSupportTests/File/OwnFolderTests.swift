import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSToolSupport

@Suite("An own folder") struct OwnFolderTests {
  private let ana: UInt32 = 1000, ben: UInt32 = 1001

  /// A system with these folders; all others are not there.
  private func system(
    user: UInt32 = 1000, _ entries: [String: OwnFolder.Entry], accounts: [UInt32: UserAccount] = [:]
  ) -> OwnFolder.System {
    let all = entries.merging(["/": .init(owner: 0, group: 0, mode: 0o755)]) { own, _ in own }
    return OwnFolder.System(user: user, entry: { all[$0] }, account: { accounts[$0] })
  }

  private func problem(_ path: String, _ system: OwnFolder.System) -> (FolderError.Problem, String)? {
    do throws(FolderError) {
      try OwnFolder.check(path, system)
      return nil
    } catch {
      return (error.problem, error.path)
    }
  }

  private let home = OwnFolder.Entry(owner: 0, group: 0, mode: 0o755)
  private func own(_ mode: UInt32 = 0o755) -> OwnFolder.Entry { .init(owner: ana, group: ana, mode: mode) }

  @Test("may be missing, be the user's or the administrator's, and lie in a sticky folder")
  func good() {
    let usual = ["/home": home, "/home/ana": own(), "/home/ana/.config": own(0o700)]
    #expect(problem("/home/ana/.config/mpaas/keys", system(usual)) == nil)
    let sticky = ["/tmp": OwnFolder.Entry(owner: 0, group: 0, mode: 0o1777), "/tmp/x": own(0o700)]
    #expect(problem("/tmp/x/keys", system(sticky)) == nil)
    #expect(problem("/tmp/new/keys", system(sticky)) == nil)
  }

  @Test("is refused where it, or one above it, belongs to another user, also for root")
  func otherOwner() {
    let usual = ["/home": home, "/home/ana": own(), "/home/ana/.config": own()]
    for user: UInt32 in [0, 1001] {
      let found = problem("/home/ana/.config/mpaas/keys", system(user: user, usual))
      #expect(found?.0 == .otherOwner)
      #expect(found?.1 == "/home/ana")
    }
    let sticky = ["/tmp": OwnFolder.Entry(owner: 0, group: 0, mode: 0o1777), "/tmp/.config": own()]
    #expect(problem("/tmp/.config/mpaas", system(user: ben, sticky))?.1 == "/tmp/.config")
    #expect(problem("/tmp/.config/mpaas", system(user: 0, sticky))?.1 == "/tmp/.config")
  }

  @Test("is refused where others can write into it or above it; a sticky bit helps only above")
  func writable() {
    for mode: UInt32 in [0o777, 0o757, 0o775, 0o1777] {
      #expect(problem("/home/ana", system(["/home": home, "/home/ana": own(mode)]))?.0 == .writable)
    }
    let parent = ["/srv": OwnFolder.Entry(owner: 0, group: 0, mode: 0o777), "/srv/keys": own(0o700)]
    #expect(problem("/srv/keys", system(parent))?.1 == "/srv")
    #expect(problem("/srv/new", system(parent))?.1 == "/srv")
  }

  @Test("may lie below a folder that is open to the user's own group alone")
  func privateGroup() throws {
    // The user who runs the tests, but root, has an own group or none.
    let root = try #require(UserAccount(0))
    #expect(!root.isAlone(inGroup: 0))
    #expect(!root.isAlone(inGroup: 1))
    let above = ["/home": home, "/home/ana": own(0o775)]
    #expect(problem("/home/ana/keys", system(above, accounts: [ana: root]))?.1 == "/home/ana")
  }

  @Test("is followed through links, whose owners count too")
  func links() {
    let link = OwnFolder.Entry(owner: ana, group: ana, mode: 0o777, link: "../../srv/keys")
    var entries = ["/home": home, "/home/ana": own(), "/home/ana/keys": link, "/srv": home, "/srv/keys": own(0o700)]
    #expect(problem("/home/ana/keys", system(entries)) == nil)
    entries["/srv/keys"] = own(0o777)
    #expect(problem("/home/ana/keys", system(entries))?.1 == "/srv/keys")
    entries["/home/ana/keys"]?.owner = ben
    #expect(problem("/home/ana/keys/more", system(entries))?.0 == .otherOwner)
    entries["/home/ana/keys"] = .init(owner: ana, group: ana, mode: 0o777, link: "/home/ana/keys")
    #expect(problem("/home/ana/keys", system(entries)) == nil)
  }

  @Test("is found on the disk as it is")
  func disk() throws {
    let folder = try TemporaryFolder()
    #expect(throws: Never.self) { try OwnFolder.check(folder.path + "/keys") }
    for mode in [0o777, 0o1777] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.path)
      let error = #expect(throws: FolderError.self) { try OwnFolder.check(folder.path) }
      #expect(error?.problem == .writable)
      #expect(error?.diagnostic.values["mode"] == String(mode, radix: 8))
    }
  }
}
