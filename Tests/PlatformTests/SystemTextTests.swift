import Foundation
import Testing

@testable import Platform

@Suite("Errors of the system in words")
struct SystemTextTests {
    @Test("An error of Foundation says what the system said, and names no domain")
    func foundation() {
        let reads: [() throws -> Void] = [
            { _ = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/nowhere/at/all")) },
            { _ = try Data(contentsOf: URL(fileURLWithPath: "/nowhere/at/all")) },
            { _ = try FileManager.default.attributesOfItem(atPath: "/nowhere/at/all") },
        ]
        for read in reads {
            let error = #expect(throws: (any Error).self) { try read() }
            #expect(error?.systemText == "No such file or directory")
        }
        let folder = #expect(throws: (any Error).self) { _ = try Data(contentsOf: URL(fileURLWithPath: "/")) }
        #expect(folder?.systemText == "Is a directory")
    }

    @Test(
        "Errors that name no cause have words for their code",
        arguments: [
            (NSError(domain: NSCocoaErrorDomain, code: 256), "the system refused it, with the code 256"),
            (NSError(domain: NSCocoaErrorDomain, code: 640), "No space left on device"),
            (NSError(domain: NSPOSIXErrorDomain, code: 13), "Permission denied"),
            (NSError(domain: "X", code: 7), "the system refused it, with the code 7"),
        ])
    func codes(error: NSError, words: String) { #expect((error as any Error).systemText == words) }

    @Test("Another error has its own words, and one of a decoder has no names of types")
    func others() {
        struct Own: Error, CustomStringConvertible { let description = "It is full." }
        #expect(Own().systemText == "It is full.")
        let error = #expect(throws: (any Error).self) { try JSONDecoder().decode([Int].self, from: Data("{".utf8)) }
        #expect(error?.systemText == "it is not of the form that is expected")
    }
}
