import Foundation
import StoreSupport
import TestSupport
import Testing

@Suite("Commands on attachments that this user may only read, or not read")
struct UnreadableAttachmentTests {
    private func withTicket() async throws -> Tool {
        let tool = try await Tool.withStore()
        try tool.write("a ticket", to: "ticket.pdf")
        _ = try await tool.value("add", "trip", "--name", "Lisbon")
        _ = try await tool.value("attach", "Lisbon", tool.folder.path("ticket.pdf"))
        return tool
    }

    private func file(_ tool: Tool) async throws -> String {
        try #require(try await tool.run("attachments", "--json").object()["file"] as? String)
    }

    @Test(
        "A user who may only read finds attachments here, saves them, and has them in a backup and a bundle; one who may only list them has neither",
        .enabled(if: geteuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")))
    func readOnlyUser() async throws {
        let tool = Tool()
        try FileManager.default.createDirectory(at: tool.folder.url, withIntermediateDirectories: true)
        // By other processes throughout: a log that is open elsewhere cannot be copied.
        let outcome = try tool.shell(
            """
            echo 'a ticket' > ticket.pdf
            "$T" init --name a && "$T" add trip --name Lisbon && "$T" attach Lisbon ticket.pdf || exit 9
            chmod 755 . && chmod -R a+rX store && mkdir -m 777 out
            run() { HOME="$PWD/out" setpriv --reuid=65534 --clear-groups "$T" "$@"; }
            run attachments | grep here || exit 10
            run save ticket.pdf out/saved.pdf && cmp ticket.pdf out/saved.pdf || exit 11
            run backup out/backup && find out/backup/attachments -type f | grep . || exit 12
            run bundle write out/all.bundle --attachments && run bundle show out/all.bundle | grep -i attach || exit 13
            run doctor | grep checkFailed && exit 14
            chmod 744 store/attachments/??
            run backup out/listed && exit 15
            run bundle write out/listed.bundle --attachments && exit 16
            exit 0
            """)
        #expect(outcome.code == 0, "\(outcome.complaint)")
        await tool.expectInvariants()
    }

    @Test("A damaged one is left out of a backup and a bundle and named, and the exit code is 1")
    func damaged() async throws {
        let tool = try await withTicket()
        try Data("b ticket".utf8).write(to: URL(fileURLWithPath: try await file(tool)))
        for command in [["backup", "copy"], ["bundle", "write", "all.bundle", "--attachments"]] {
            let place = tool.folder.path(command.last { !$0.hasPrefix("--") } ?? "")
            let arguments = command.map { place.hasSuffix("/" + $0) ? place : $0 }
            let outcome = await tool.run(arguments)
            #expect(outcome.code == 1 && outcome.out.contains { $0.contains("left out") }, "\(command): \(outcome)")
            #expect(FileManager.default.fileExists(atPath: place))
        }
        await tool.expectInvariants()
    }

    @Test("One that cannot be looked for is listed as unreadable, and the command fails")
    func unreadable() async throws {
        let tool = try await withTicket()
        let shelf = (try await file(tool) as NSString).deletingLastPathComponent
        try FileManager.default.removeItem(atPath: shelf)
        try FileManager.default.createSymbolicLink(atPath: shelf, withDestinationPath: shelf)
        let listed = await tool.run("attachments")
        #expect(listed.code == 2 && listed.out.first?.contains("unreadable") == true && listed.error.contains(shelf))
        #expect(await tool.run("backup", tool.folder.path("copy")).code == 2)
        #expect(try tool.names() == ["store", "ticket.pdf"])
        await tool.expectInvariants()
    }
}
