import Foundation
import Testing
import TripStore

@Suite("The page on members")
struct MembersSnippets {
    @Test("An invitation, who waits, a revocation and a void")
    func members() async throws {
        let (place, other) = (Folder(), Folder())
        let (store, laptop) = (
            try await TripStore.open(at: place.url), try await TripStore.open(at: other.url)
        )
        try await store.create(Trip(name: "Lisbon"))
        let notes = Notes()
        @Sendable func show(_ parts: String...) { notes.add(parts.joined(separator: " ")) }
        // begin Members-invite
        let code = try await store.invite(.write, until: Date.now.addingTimeInterval(86_400))
        show("\(code)")  // TRIP1-…: a message, or a QR code
        // end
        // begin Members-join
        try await laptop.join(InvitationCode(code.description))
        try await laptop.create(Trip(name: "Porto"))  // here at once, everywhere once granted
        try await laptop.exchange(with: .store(store))  // the request there, the grant back
        // end
        // begin Members-standing
        switch try laptop.standing() {
        case .open, .member: show("may write")
        case .waiting(let hasAsked): show(hasAsked ? "waits for an admin" : "is no member: join with an invitation")
        case .revoked(let admin): show("was revoked by \(admin)")
        }
        // end
        #expect(notes.all.last == "may write")
        try await store.catchUp()
        #expect(try store.trips(.undated).rows.count == 2)
        let replica = laptop.replica
        // begin Members-revoke
        for status in try store.members() where !status.isOwn { show(status.name, "\(status.role)") }
        try await store.revoke(replica)
        // end
        #expect(try store.trips(.undated).rows.count == 2)
        try await laptop.create(Trip(name: "Faro"))
        try await laptop.exchange(with: .store(store))
        try await store.catchUp()
        #expect(try store.trips(.undated).rows.count == 2)
        await #expect(throws: TripStoreError.self) { try await laptop.create(Trip(name: "Braga")) }
        let position = try #require(try store.audit(AuditFilter()).last { !$0.events.isEmpty }).position
        // begin Members-void
        try await store.void(position)
        try await store.void(position, isVoid: false)
        // end
        #expect(try store.trips(.undated).rows.count == 2)
    }
}
