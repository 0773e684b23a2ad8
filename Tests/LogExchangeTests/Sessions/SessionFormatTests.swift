import EventLog
import Events
import StoreSupport
import TestSupport
import Testing

@testable import LogExchange

/// The worked example of SessionFormat.md.
@Suite("The format of sessions")
struct SessionFormatTests {
    private let example: WorkedExample
    private let clientKey = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    private let serverKey = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"

    init() throws {
        example = try WorkedExample(
            in: SourceFile.path("Sources/LogExchange/LogExchange.docc/SessionFormat.md"))
    }

    @Test("The document's frames are those that we write, and their signatures hold")
    func workedExample() throws {
        let journal = try #require(JournalID("00112233-4455-6677-8899-aabbccddeeff"))
        let client = try #require([UInt8](hexadecimal: clientKey))
        let server = try #require([UInt8](hexadecimal: serverKey))
        let hello = ClientHello(
            journal: journal, key: client, nonce: Array(0..<32), certificate: MemoryNetwork.certificate(0xAA)
        ).encoded()
        let answer = ServerHello(version: 1, nonce: Array(32..<64)).encoded()
        let claims = SessionClaims(request: nil, handovers: []).encoded()
        let admission = SessionAdmission(journal: journal, key: server).encoded()
        #expect(try SessionFrame.clientHello(hello).encoded() == example.block("client_hello"))
        #expect(try SessionFrame.serverHello(answer).encoded() == example.block("server_hello"))
        var transcript = SessionTranscript(clientHello: hello, serverHello: answer)
        transcript.add(claims)
        #expect(try transcript.digest.bytes == example.block("client transcript"))
        guard case .clientProof(let saidClaims, let proof) = try SessionFrame(example.block("client_proof")) else {
            Issue.record("no proof")
            return
        }
        #expect(saidClaims == claims)
        #expect(SessionSignature.isValid(proof, publicKey: client, over: transcript.digest, as: .client))
        transcript.add(admission)
        #expect(try transcript.digest.bytes == example.block("server transcript"))
        guard case .welcome(let said, let welcome) = try SessionFrame(example.block("welcome")) else {
            Issue.record("no welcome")
            return
        }
        #expect(said == admission)
        #expect(SessionSignature.isValid(welcome, publicKey: server, over: transcript.digest, as: .server))
    }
}
