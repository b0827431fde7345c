//! Images and files that a result holds, beside its text or instead of it.

use crate::tokens::{FILE_TOKENS, estimate_bytes};

/// What a file is, as far as its part says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum MediaKind {
    /// A picture: a screenshot, most often.
    Image,
    /// A picture where the provider takes nothing else: a blank one stands in for it, and no text.
    Screen,
    /// Sound.
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

/// How many images and files there are, and of which kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Media {
    /// How many.
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

    /// What they are called, for so many.
    pub fn unit(self) -> &'static str {
        let many = match self.kind {
            MediaKind::Image | MediaKind::Screen => "images",
            MediaKind::Audio => "audio files",
            MediaKind::Document => "documents",
            MediaKind::File => "files",
        };
        if self.count == 1 { many.trim_end_matches('s') } else { many }
    }

    /// Whether a text can stand in for it.
    pub fn takes_text(self) -> bool {
        self.kind != MediaKind::Screen
    }

    /// Estimated tokens: [`FILE_TOKENS`] each, whatever the bytes.
    pub fn tokens(self) -> u64 {
        u64::from(self.count) * FILE_TOKENS
    }

    /// Bytes of text that would have as many tokens.
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
