//! Images and files in a result, beside its text or instead of it.

use crate::tokens::{FILE_TOKENS, estimate_bytes};

/// The kind of a file, as stated by its part.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum MediaKind {
    /// An image, usually a screenshot.
    Image,
    /// An image in a position where the provider accepts only images: it is replaced with a blank image, not with a
    /// text.
    Screen,
    /// Audio.
    Audio,
    /// A PDF or another document.
    Document,
    /// Anything else, or more than one kind.
    #[default]
    File,
}

impl MediaKind {
    /// The kind of this media type (`image/png`).
    pub fn of_type(media_type: &str) -> Self {
        match media_type.split('/').next() {
            Some("image") => MediaKind::Image,
            Some("audio") => MediaKind::Audio,
            _ if media_type == "application/pdf" => MediaKind::Document,
            _ => MediaKind::File,
        }
    }
}

/// The number and the kind of images and files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Media {
    /// Number of images and files.
    pub count: u32,
    kind: MediaKind,
}

impl Media {
    /// One file.
    pub fn one(kind: MediaKind) -> Self {
        Self { count: 1, kind }
    }

    /// Adds a file.
    pub fn add(&mut self, kind: MediaKind) {
        let is_same = self.count == 0 || self.kind == kind;
        self.kind = if is_same { kind } else { MediaKind::File };
        self.count += 1;
    }

    /// The name of the unit, in singular or plural.
    pub fn unit(self) -> &'static str {
        let many = match self.kind {
            MediaKind::Image | MediaKind::Screen => "images",
            MediaKind::Audio => "audio files",
            MediaKind::Document => "documents",
            MediaKind::File => "files",
        };
        if self.count == 1 { many.trim_end_matches('s') } else { many }
    }

    /// Whether a text can replace it.
    pub fn takes_text(self) -> bool {
        self.kind != MediaKind::Screen
    }

    /// Estimated tokens: [`FILE_TOKENS`] each, regardless of size.
    pub fn tokens(self) -> u64 {
        u64::from(self.count) * FILE_TOKENS
    }

    /// Bytes of text with the same number of estimated tokens.
    pub fn bytes(self) -> u64 {
        estimate_bytes(self.tokens())
    }
}

#[cfg(test)]
mod tests {
    use super::{Media, MediaKind};

    #[test]
    fn different_kinds_are_files() {
        let mut media = Media::default();
        let mut units = Vec::new();
        for media_type in ["image/png", "image/jpeg", "application/pdf"] {
            media.add(MediaKind::of_type(media_type));
            units.push((media.count, media.unit()));
        }
        assert_eq!(units, [(1, "image"), (2, "images"), (3, "files")]);
        assert_eq!(Media::one(MediaKind::of_type("application/pdf")).unit(), "document");
        assert_eq!(Media::one(MediaKind::of_type("audio/wav")).unit(), "audio file");
        assert_eq!(Media::one(MediaKind::of_type("video/mp4")).unit(), "file");
        assert_eq!(media.tokens(), 4800);
    }
}
