import ArgumentParser
import EventLog
import Events
import Foundation
import TripFormats
import TripStore

struct MembersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "members",
        abstract: "List who may write, who waits to, and invitations.",
        discussion: """
            Who founded the journal is its first admin. Admins grant, revoke and invite; that travels with the commits, and every \
            replica comes to the same. Of a replica that was revoked what was written before its cut still counts.

            What an admin erases of others is removed after 30 days, on each device, or as many as an admin sets here. Fewer than \
            before apply once a device has held that for as long as the former days last.

            Examples:
              tripstore members
              tripstore members --erasing-period 14
            """)

    @OptionGroup var options: StoreOptions

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Set after how many days it is removed what an admin erases of others: 7 to 365, or fewer by the founder.",
            valueName: "days"))
    var erasingPeriod: Int?

    func run() async throws {
        if let erasingPeriod {
            return try await withStore(options) { store in
                try await store.setErasingDays(erasingPeriod)
                try show(store)
            }
        }
        try show(try await options.openForReading())
    }

    private func show(_ store: TripStore) throws {
        let (standing, members) = (try store.standing(), try store.members())
        let period = try store.erasingDays()
        let (waiting, invitations) = (try store.membershipRequests(), try store.invitations())
        guard options.json else {
            let ids = ShortReplicas(try store.namedReplicas().keys)
            var rows = members.map { MemberText.cells($0, ids) }
            rows += waiting.map { ["waiting", ids.shown($0.replica), $0.name] }
            rows += invitations.map { MemberText.cells($0, ids) }
            let layout = Console.current.layout
            let table = TextTable(cutting: [2, 3], naming: 2, listing: [3])
            Console.current.show(
                (MemberText.line(standing).map { layout.lines($0, behind: "") } ?? []) + table.lines(rows)
                    + (period.map { layout.lines(MemberText.line($0), behind: "") } ?? []))
            return
        }
        Console.current.out(
            JSON.object([
                ("standing", .string(MemberText.word(standing))),
                ("members", .array(members.map(MemberText.json))),
                (
                    "waiting",
                    .array(
                        waiting.map {
                            JSON.object([("replica", .string("\($0.replica)")), ("name", .string($0.name))])
                        })
                ),
                ("invitations", .array(invitations.map(MemberText.json))),
                ("erasingPeriod", period.map(MemberText.json) ?? .null),
            ]).text)
    }
}

/// Members in words and in JSON.
enum MemberText {
    static func cells(_ status: MemberStatus, _ ids: ShortReplicas) -> [String] {
        let member = status.member
        var words = status.isOwn ? ["this device"] : []
        if let by = member.revokedBy { words.append("revoked by \(ids.shown(by))") }
        if let former = member.predecessor { words.append("in the place of \(ids.shown(former))") }
        if let by = member.grantedBy { words.append("granted by \(ids.shown(by))") }
        return ["\(member.role)", ids.shown(member.replica), status.name, words.joined(separator: ", ")]
    }

    /// On a terminal the first digits of the key are enough: 'invite --withdraw' finds it by them.
    static func cells(_ held: InvitationStatus, _ ids: ShortReplicas) -> [String] {
        // On a terminal to the minute: people write days, whose last millisecond is the end.
        let isShort = Console.current.layout.columns != nil
        let expiry = held.invitation.expiry.map { end in
            let text = Date(milliseconds: end).utcText
            return "until \(isShort ? text.prefix(16) + "Z" : text)"
        }
        let key = held.invitation.key.digits
        return [
            "invitation", isShort ? String(key.prefix(leastKey)) : key, "\(held.invitation.role)",
            "\(held.used) of \(held.invitation.uses) used, \(expiry ?? "for ever"), by \(ids.shown(held.by))",
        ]
    }

    private static let leastKey = 16

    static func json(_ status: MemberStatus) -> JSON {
        let member = status.member
        return .object([
            ("replica", .string("\(member.replica)")), ("role", .string("\(member.role)")),
            ("name", .string(status.name)), ("own", .bool(status.isOwn)), ("revoked", .bool(member.isRevoked)),
            ("revokedBy", .optional(member.revokedBy.map { "\($0)" })),
            ("grantedBy", .optional(member.grantedBy.map { "\($0)" })),
            ("inThePlaceOf", .optional(member.predecessor.map { "\($0)" })),
        ])
    }

    static func json(_ held: InvitationStatus) -> JSON {
        .object([
            ("key", .string(held.invitation.key.digits)),
            ("role", .string("\(held.invitation.role)")), ("uses", .integer(held.invitation.uses)),
            ("used", .integer(held.used)), ("by", .string("\(held.by)")),
            ("until", .optional(held.invitation.expiry.map { Date(milliseconds: $0).utcText })),
        ])
    }

    static func json(_ period: ErasingDays) -> JSON {
        .object([
            ("days", .integer(period.inForce)), ("coming", .optional(period.coming?.days)),
            ("comingFrom", .optional(period.coming.map { Date(milliseconds: $0.time).utcText })),
        ])
    }

    static func line(_ period: ErasingDays) -> String {
        let coming = period.coming.map {
            ", and after \($0.days.counted("day")) from \(ErasureText.day(Date(milliseconds: $0.time))) on"
        }
        return "What an admin erases of others is removed after \(period.inForce.counted("day"))\(coming ?? "")."
    }

    /// The standing of a replica, in a word.
    static func word(_ standing: MembershipStanding) -> String {
        switch standing {
        case .open: "open"
        case .member(let role): "\(role)"
        case .waiting: "waiting"
        case .revoked: "revoked"
        }
    }

    /// What people should know about the standing of a replica; nil if it may write.
    static func line(_ standing: MembershipStanding) -> String? {
        switch standing {
        case .member(let role) where role >= .write: nil
        case .member(let role): "This replica has the role \(role), and may not write."
        case .open: "Nobody founded this journal: everybody may write who has its id."
        case .waiting(let hasAsked):
            hasAsked
                ? "This replica asked to become a member, and waits for an admin: what it writes counts here alone until then."
                : "This replica is no member: what it writes counts here alone until an admin grants it a role."
        case .revoked(let by):
            "This replica was revoked by \(by), and may not write. 'tripstore join' begins anew.".onThisStore
        }
    }
}

extension Date {
    /// Milliseconds since 1970.
    init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }
}
