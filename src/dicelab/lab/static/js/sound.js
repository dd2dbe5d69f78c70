// The sound of dice, made here: short knocks of noise. It is off until somebody switches it on.

const KEY = "dicelab-sound";
let audio = null;

export const soundIsOn = () => localStorage.getItem(KEY) === "yes";
export function switchSound(on) {
  localStorage.setItem(KEY, on ? "yes" : "no");
  clatter(2, 300);
}

function knock(at) {
  const length = Math.round(audio.sampleRate * 0.05), buffer = audio.createBuffer(1, length, audio.sampleRate), data = buffer.getChannelData(0);
  for (let i = 0; i < length; i++) data[i] = (2 * Math.random() - 1) * Math.exp(-i / (length / 9));
  const source = new AudioBufferSourceNode(audio, { buffer }), wood = new BiquadFilterNode(audio, { type: "bandpass", frequency: 900 + 900 * Math.random(), Q: 2 });
  source.connect(wood).connect(new GainNode(audio, { gain: 0.35 })).connect(audio.destination);
  source.start(at);
}

/** Let so many dice fall within so many milliseconds, where sound is on. */
export function clatter(dice, ms) {
  if (!soundIsOn()) return;
  audio ??= new AudioContext();
  for (let i = 0; i < 2 * Math.min(dice, 6); i++) knock(audio.currentTime + (ms / 1000) * (0.3 + 0.6 * Math.random()));
}
