// Small sounds, made on the spot: nothing is loaded.

export type Sound = "dice" | "place" | "conquest" | "elimination" | "card" | "turn" | "win";

/** Fewest milliseconds between two sounds: bots are fast. */
const PAUSE = 90;

interface Tone {
  /** Hertz. */
  pitch: number;
  /** Seconds from now, and how long. */
  at: number;
  length: number;
}

const TONES: Record<Exclude<Sound, "dice">, Tone[]> = {
  place: [{ pitch: 330, at: 0, length: 0.06 }],
  card: [{ pitch: 660, at: 0, length: 0.05 }, { pitch: 880, at: 0.06, length: 0.07 }],
  conquest: [{ pitch: 392, at: 0, length: 0.09 }, { pitch: 587, at: 0.09, length: 0.14 }],
  elimination: [{ pitch: 294, at: 0, length: 0.14 }, { pitch: 220, at: 0.13, length: 0.14 }, { pitch: 147, at: 0.26, length: 0.3 }],
  turn: [{ pitch: 523, at: 0, length: 0.1 }, { pitch: 784, at: 0.11, length: 0.16 }],
  win: [{ pitch: 523, at: 0, length: 0.14 }, { pitch: 659, at: 0.13, length: 0.14 }, { pitch: 784, at: 0.26, length: 0.14 }, { pitch: 1047, at: 0.39, length: 0.4 }],
};

export class Speaker {
  private context: AudioContext | null = null;
  private last = 0;

  /** Plays a sound; without a click before, or without a device, nothing happens. */
  play(sound: Sound, now = performance.now()): boolean {
    if (now - this.last < PAUSE || typeof AudioContext === "undefined") return false;
    this.last = now;
    // Browsers let a page make sounds once somebody has touched it.
    if (!navigator.userActivation?.hasBeenActive) return false;
    this.context ??= new AudioContext();
    if (sound === "dice") this.rattle(this.context);
    else for (const tone of TONES[sound]) this.ring(this.context, tone);
    return true;
  }

  private ring(context: AudioContext, { pitch, at, length }: Tone): void {
    const start = context.currentTime + at;
    const wave = new OscillatorNode(context, { type: "triangle", frequency: pitch });
    wave.connect(fade(context, start, length, 0.09)).connect(context.destination);
    wave.start(start);
    wave.stop(start + length);
  }

  /** Three short bursts of noise, as of dice on wood. */
  private rattle(context: AudioContext): void {
    for (const at of [0, 0.05, 0.12]) {
      const start = context.currentTime + at;
      const buffer = context.createBuffer(1, context.sampleRate * 0.04, context.sampleRate);
      const samples = buffer.getChannelData(0);
      for (let i = 0; i < samples.length; i += 1) samples[i] = Math.random() * 2 - 1;
      const noise = new AudioBufferSourceNode(context, { buffer });
      const wood = new BiquadFilterNode(context, { type: "bandpass", frequency: 1800, Q: 1.2 });
      noise.connect(wood).connect(fade(context, start, 0.04, 0.14)).connect(context.destination);
      noise.start(start);
    }
  }
}

function fade(context: AudioContext, start: number, length: number, loudness: number): GainNode {
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(loudness, start);
  gain.gain.exponentialRampToValueAtTime(0.001, start + length);
  return gain;
}
