import Foundation
import StoreSupport
import TestSupport
import Testing

@Suite("Stores of another user")
struct ForeignStoreTests {
    /// Whether this user has all rights, and so runs the tool as another user here.
    private static let isRoot = geteuid() == 0

    /// Runs a script in which `$R` is the tool as a user who is not the owner, or has no more rights than one.
    private func shell(_ tool: Tool, _ script: String) throws -> Program.Output {
        let user = Self.isRoot ? "setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=$PWD" : ""
        return try tool.shell(
            """
            chmod 755 .; cp "$T" tool; chmod 755 tool; mkdir -p out; chmod 777 out
            R="\(user) ./tool"
            \(script)
            """)
    }

    private static let closed = isRoot ? "chmod -R go-rwx store" : "chmod a-rwx store"
    private static let readable = isRoot ? "chmod -R a+rX store; chmod 600 store/replica.key" : "chmod -R u-w store"
    private static let own = "chmod u+rwx store; chmod -R u+w store"

    @Test("A store that this user may not read is distinguished from a missing one", .enabled(if: canRun))
    func closed() async throws {
        let tool = try await Tool.withStore()
        for command in ["trips", "status", "add trip --name Porto", "audit verify", "backup out/b"] {
            let outcome = try shell(
                tool, "\(Self.closed); $R \(command) --store store; C=$?; \(Self.own); exit $C")
            #expect(outcome.code == 2 && outcome.bytes.isEmpty, "\(command)")
            #expect(outcome.complaint.contains("Permission denied"), "\(command): \(outcome.complaint)")
            #expect(!outcome.complaint.contains("init"), "\(command): \(outcome.complaint)")
        }
        await tool.expectInvariants()
    }

    @Test("A store that this user may read and not write is read by all commands that only read", .enabled(if: canRun))
    func readable() async throws {
        let tool = try await Tool.withStore()
        let trip = try await tool.value("add", "trip", "--name", "Lisbon")
        for command in [
            "trips --undated", "show \(trip)", "audit log", "audit report out/log.html --force",
            "bundle write out/all.bundle", "replay --verify", "peers", "members",
        ] {
            let outcome = try shell(
                tool, "\(Self.readable); $R \(command) --store store; C=$?; \(Self.own); exit $C")
            #expect(outcome.code == 0, "\(command): \(outcome.complaint)")
        }
        let written = try shell(
            tool, "\(Self.readable); $R add trip --name Porto --store store; C=$?; \(Self.own); exit $C")
        #expect(written.code == 2 && written.complaint.contains("Permission denied"))
        await tool.expectInvariants()
    }

    @Test("A store on a read-only medium is read by all commands that only read", .enabled(if: ReadOnlyMedium.canMount))
    func readOnlyMedium() async throws {
        let tool = try await Tool.withStore()
        let trip = try await tool.value("add", "trip", "--name", "Lisbon")
        for (command, code) in [
            ("trips --undated", 0), ("show \(trip)", 0), ("list activities", 0), ("status", 0), ("audit log", 0),
            ("audit verify", 0), ("audit report out/log.html --force", 0), ("bundle write out/all.bundle --force", 0),
            ("replay --verify", 0), ("peers", 0), ("subscriptions", 0), ("backup out/copy", 0),
            ("add trip --name Porto", 2), ("undo --last", 2), ("import -", 2),
        ] as [(String, Int32)] {
            let outcome = try tool.shell(
                """
                mkdir -p out; rm -rf out/copy; export T
                unshare -m sh -c '\(ReadOnlyMedium.mount("store")) && "$T" \(command) --store store'
                """)
            #expect(outcome.code == code, "\(command): \(outcome.complaint)")
            let saysWhy = outcome.complaint.contains("Read-only file system")
            #expect(saysWhy == (code != 0), "\(command): \(outcome.complaint)")
        }
        await tool.expectInvariants()
    }

    /// Whether the tool can run without the owner's rights.
    private static let canRun = !isRoot || Program.succeeds("setpriv", "--version")

    @Test("What the system refuses is said in its words: streams that are closed, and files that may not be read")
    func words() async throws {
        let tool = try await Tool.withStore()
        let closed = try tool.shell("\"$T\" import - <&-")
        #expect(closed.code == 2 && closed.complaint.contains("Standard input cannot be read: it is closed."))
        let folder = try tool.shell("\"$T\" import - < .")
        #expect(folder.code == 2 && folder.complaint.contains("Is a directory"))
        let unheard = try tool.shell("\"$T\" trips >&-")
        #expect(unheard.code == 2 && unheard.complaint.contains("standard output is closed"))
        for complaint in [closed, folder, unheard].map(\.complaint) {
            #expect(!complaint.contains("NSCocoa") && !complaint.contains("descriptor"), "\(complaint)")
        }
        if Self.canRun {
            let refused = try shell(
                tool,
                """
                printf x > secret; chmod \(Self.isRoot ? "600" : "000") secret; $R init --store out/mine >/dev/null
                $R bundle read secret --store out/mine
                """)
            #expect(refused.code == 2 && refused.complaint.contains("Permission denied"), "\(refused.complaint)")
            #expect(!refused.complaint.contains("Error Domain"))
        }
        await tool.expectInvariants()
    }
}
