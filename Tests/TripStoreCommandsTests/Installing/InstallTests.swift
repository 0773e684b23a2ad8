import Foundation
import StoreSupport
import TestSupport
import Testing

@Suite("Tools/install")
struct InstallTests {
    private func install(_ tool: Tool, _ arguments: String) throws -> Program.Output {
        try tool.shell("'\(SourceFile.path("Tools/install"))' --prefix \"$PWD/prefix\" \(arguments)")
    }

    private static let files: Set = [
        "bin/tripstore", "bin/tripstore-hub", "share/bash-completion/completions/tripstore",
        "share/zsh/site-functions/_tripstore",
        "share/fish/vendor_completions.d/tripstore.fish",
    ]

    @Test(
        "It puts the program and completions for three shells below a prefix, and takes away what it put there and no more"
    )
    func installing() async throws {
        let tool = try await Tool.withStore()
        let installed = try install(tool, "--program \"$T\"")
        #expect(installed.code == 0, "\(installed.complaint)")
        for file in Self.files {
            #expect(FileManager.default.fileExists(atPath: tool.folder.path("prefix/" + file)), "\(file)")
        }
        #expect(try tool.shell("prefix/bin/tripstore status").code == 0)
        #expect(try tool.text(of: "prefix/share/zsh/site-functions/_tripstore").hasPrefix("#compdef tripstore"))
        #expect(try tool.text(of: "prefix/share/fish/vendor_completions.d/tripstore.fish").contains("complete"))
        try tool.write("mine", to: "prefix/share/mine")
        #expect(try install(tool, "--program \"$T\"").code == 0)
        let removed = try install(tool, "--remove")
        #expect(removed.code == 0, "\(removed.complaint)")
        for file in Self.files { #expect(!FileManager.default.fileExists(atPath: tool.folder.path("prefix/" + file))) }
        #expect(try tool.text(of: "prefix/share/mine") == "mine")
        #expect(try install(tool, "--remove").code == 0)
        #expect(try install(tool, "--nonsense").code == 64)
    }

    @Test(
        "In a terminal the shell completes commands and options, and a long list fits",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script"), "There is no script(1) here."))
    func terminal() async throws {
        let tool = try await Tool.withStore()
        _ = try await tool.value("add", "trip", "--name", String(repeating: "Lisbon ", count: 30))
        #expect(try install(tool, "--program \"$T\"").code == 0)
        try tool.write(
            """
            stty cols 60
            PATH="$PWD/prefix/bin:$PATH"; unset COLUMNS; PS1='> '
            source prefix/share/bash-completion/completions/tripstore
            tripstore sta\t--fr\t
            tripstore trips --und\t
            exit

            """, to: "typed")
        let outcome = try tool.shell(
            "(while IFS= read -r line; do sleep 0.3; printf '%s\\n' \"$line\"; done < typed; sleep 1)"
                + " | LC_ALL=C.UTF-8 TERM=dumb script -qec 'bash --norc --noprofile -i' /dev/null")
        #expect(outcome.text.contains("tripstore status --frontier"), "\(outcome.text)")
        #expect(outcome.text.contains("tripstore trips --undated"), "\(outcome.text)")
        let row = outcome.text.components(separatedBy: .newlines).first { $0.contains("Lisbon Lisbon") }
        #expect(row?.hasSuffix("…") == true && row.map { $0.count <= 60 } == true, "\(outcome.text)")
    }
}
