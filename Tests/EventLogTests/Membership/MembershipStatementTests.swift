import Events
import Testing

@testable import EventLog

@Suite("Statements about members, and the codes of invitations")
struct MembershipStatementTests {
    @Test("Statements come back from their bytes; unknown ones, cut ones and two in one say nothing")
    func encoding() throws {
        let story = try Story()
        let ana = try story.newcomer("ana")
        let commit = story.write(ana)
        let (code, invitation) = try story.invitation(uses: 3)
        let statements: [MembershipStatement] = [
            .grant(ana.id, .read, invitation: nil), .grant(ana.id, .admin, invitation: code.key),
            .revocation(ana.id, cut: []), .revocation(ana.id, cut: [commit]), .invitation(invitation),
            .invitation(Invitation(key: code.key, role: .relay, expiry: -5)), .withdrawal(code.key),
            .request(try code.request(of: ana.id)), .void(commit, isVoid: true), .void(commit, isVoid: false),
            .replacement(commit),
        ]
        func read(_ bytes: [UInt8]) throws -> MembershipStatement? {
            try bytes.withUnsafeBytes { try MembershipStatement($0) }
        }
        for statement in statements {
            let bytes = statement.encoded()
            #expect(try read(bytes) == statement)
            #expect(try read(bytes + bytes) == nil)
            for end in 1..<bytes.count { #expect((try? read(Array(bytes[..<end]))) != .some(statement)) }
        }
        #expect(try read([]) == nil)
        #expect(try read([0x3A, 0]) == nil, "field 7, to come")
    }

    @Test(
        "The code of an invitation may name a hub, which changes nothing else",
        arguments: ["hub.example", "192.0.2.1", "::1", String(repeating: "h", count: 253)])
    func codesWithHub(host: String) throws {
        let (code, _) = try Story().invitation()
        for pin in [nil, Digest(words: (1, 2, 3, 4))] {
            let found = ServerLocation(host: host, port: 4433, pin: pin)
            let location = try #require(found)
            let named = code.naming(location)
            let text = named.description
            #expect(text.allSatisfy { $0 == "-" || $0.isNumber || $0.isUppercase })
            let read = try InvitationCode(text.lowercased())
            #expect(read == named && read.server?.host == host && read.server?.port == 4433 && read.server?.pin == pin)
            #expect(read.key == code.key && read.journal == code.journal && read.naming(nil) == code)
            for wrong in [String(text.dropLast()), text + "A", text.replacing("TRIP2", with: "TRIP1")] {
                #expect(throws: EventLogError.self) { try InvitationCode(wrong) }
            }
            #expect(throws: EventLogError.self) {
                try InvitationCode(code.description.replacing("TRIP1", with: "TRIP2"))
            }
        }
        #expect(ServerLocation(host: "", port: 1, pin: nil) == nil)
        #expect(ServerLocation(host: String(repeating: "h", count: 254), port: 1, pin: nil) == nil)
    }

    @Test("The code of an invitation is read as people type it, and a wrong letter is noticed")
    func codes() throws {
        let story = try Story()
        let (code, _) = try story.invitation()
        let text = code.description
        #expect(text.allSatisfy { $0 == "-" || $0.isNumber || $0.isUppercase })
        #expect(try InvitationCode(text) == code)
        #expect(try InvitationCode(text.lowercased().replacing("-", with: " ").replacing("0", with: "o")) == code)
        #expect(try InvitationCode(text.replacing("TRIP1", with: "tripl")) == code)
        for text in ["", "TRIP1", "HELLO", String(text.dropLast()), text + "A", text.replacing("-", with: "!")] {
            #expect(throws: EventLogError.self) { try InvitationCode(text) }
        }
        for index in text.indices.dropFirst(6) where text[index] != "-" {
            var wrong = text
            wrong.replaceSubrange(index...index, with: text[index] == "7" ? "8" : "7")
            #expect(throws: EventLogError.self) { try InvitationCode(wrong) }
        }
    }
}
