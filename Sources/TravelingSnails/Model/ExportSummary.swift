/// What the first pass over an export learns: what stands outside the trips, and how many trips there are.
///
/// Its memory grows with the organizations, the addresses and the problems of the file, never with its trips or its
/// attachments.
public struct ExportSummary: Sendable, Hashable {
    /// What the file says about itself.
    public let info: ExportInfo
    /// The usable organizations in the order of the file. The one named "None", which the app writes to stand for no
    /// organization, is among them like any other: what it means is for the caller to decide.
    public let organizations: [ExportedOrganization]
    /// The usable addresses in the order of the file.
    public let addresses: [ExportedAddress]
    /// The usable trips: as many as the second pass hands over.
    public let tripCount: Int
    /// The usable items of the usable trips.
    public let itemCount: Int
    /// The attachments that the file holds; their contents are checked as JSON and not kept.
    public let attachmentCount: Int
    /// The records that cannot be used: organizations, addresses and whole trips. What is wrong inside a usable trip is
    /// in ``ExportedTrip/problems``.
    public let problems: [ExportProblem]
}
